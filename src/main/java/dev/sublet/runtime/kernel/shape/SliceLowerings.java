package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import com.google.common.primitives.Longs;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/** Operators that extract a part of a tensor. */
public final class SliceLowerings {

  private SliceLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("crop", SliceLowerings::crop);
    kernels.differentiated("crop_tensor", SliceLowerings::crop);
    kernels.differentiated("slice", lowering -> slice(lowering, /* strided= */ false));
    kernels.differentiated("strided_slice", lowering -> slice(lowering, /* strided= */ true));
  }

  private static void slice(LoweringCall lowering, boolean strided) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue input = lowering.in("Input");
    long[] shape = f.shape(input);
    for (long axis : IntegerArguments.attribute(call, "axes")) {
      if (axis < 0 && !strided) {
        throw new OperatorException("slice does not count axes from the last one: " + axis);
      }
    }
    if (!strided && selectsComputedElement(call)) {
      element(f, lowering, shape);
      return;
    }
    SliceRange[] ranges = SliceRange.of(call, shape, strided);
    if (strided) {
      checkLimits(call, shape);
    } else {
      selectRemovedElements(call, shape, ranges);
    }
    long[] sliced = new long[shape.length];
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      sliced[axis] = ranges[axis].extent();
      at[axis] = plus(times(loop(axis), ranges[axis].stride()), ranges[axis].start());
    }
    lowering.out("Out", f.reshape(f.reindex(input, sliced, at), withoutDecreased(call, sliced)));
  }

  /**
   * Gives each axis that a {@code slice} removes its one element. Paddle stops at an empty slice,
   * but takes -1 to 0 for the last element where {@code infer_flags} says that a limit is computed.
   */
  private static void selectRemovedElements(OperatorCall call, long[] shape, SliceRange[] ranges) {
    long[] axes = IntegerArguments.attribute(call, "axes");
    long[] starts = IntegerArguments.of(call, "starts", "StartsTensor", "StartsTensorList");
    long[] ends = IntegerArguments.of(call, "ends", "EndsTensor", "EndsTensorList");
    long[] removed = IntegerArguments.attribute(call, "decrease_axis");
    for (int i = 0; i < axes.length; i++) {
      int axis = Shapes.axis(axes[i], shape.length);
      if (ranges[axis].extent() > 0 || !Longs.contains(removed, axes[i])) {
        continue;
      }
      if (!isComputed(call, i) || starts[i] != -1 || ends[i] != 0 || shape[axis] == 0) {
        throw new OperatorException(
            "an empty slice, "
                + starts[i]
                + " to "
                + ends[i]
                + ", of axis "
                + axes[i]
                + ", which it removes");
      }
      ranges[axis] = new SliceRange(shape[axis] - 1, 1, 1);
    }
  }

  /** Whether the attributes say that the program computes a limit of the i-th axis. */
  private static boolean isComputed(OperatorCall call, int i) {
    long[] flags = IntegerArguments.attribute(call, "infer_flags");
    return i < flags.length && flags[i] == -1;
  }

  /**
   * Returns the end along the i-th axis that a slice names, counted from the front. From -1 to 0 is
   * the last element.
   */
  private static MicroValue end(Formula f, LoweringCall lowering, int i, long extent) {
    MicroValue whole = f.constant(ElementType.INT64, (double) extent, 1);
    MicroValue isFromLast = isEqual(f, lowering.in("StartsTensorList", i), -1);
    if (lowering.call().has("EndsTensorList")) {
      MicroValue end = ComputedLimit.fromFront(f, lowering, "EndsTensorList", i, extent);
      if (!isComputed(lowering.call(), i)) {
        return end;
      }
      MicroValue isZero = isEqual(f, lowering.in("EndsTensorList", i), 0);
      return f.graph().choose(f.apply(BinaryOperator.AND, isFromLast, isZero), whole, end);
    }
    long end = IntegerArguments.attribute(lowering.call(), "ends")[i];
    MicroValue fixed = f.constant(ElementType.INT64, (double) (end < 0 ? end + extent : end), 1);
    return end == 0 && isComputed(lowering.call(), i)
        ? f.graph().choose(isFromLast, whole, fixed)
        : fixed;
  }

  private static MicroValue isEqual(Formula f, MicroValue limit, long number) {
    return f.apply(BinaryOperator.EQUAL, f.as(ElementType.INT64, limit), number);
  }

  private static boolean selectsComputedElement(OperatorCall call) {
    long[] axes = IntegerArguments.attribute(call, "axes");
    return ComputedLimit.isIn(call, "StartsTensorList")
        && call.arguments("StartsTensorList").size() == axes.length
        && Longs.asList(IntegerArguments.attribute(call, "decrease_axis"))
            .containsAll(Longs.asList(axes));
  }

  /**
   * Lowers a slice whose starts the program computes, and whose axes are all removed, so that each
   * selects one element: {@code x[:, i]}. Indices outside of the axis give zeros.
   */
  private static void element(Formula f, LoweringCall lowering, long[] shape) {
    OperatorCall call = lowering.call();
    long[] axes = IntegerArguments.attribute(call, "axes");
    MicroValue result = lowering.in("Input");
    long[] sliced = shape.clone();
    for (int i = 0; i < axes.length; i++) {
      int axis = Shapes.axis(axes[i], shape.length);
      sliced[axis] = 1;
      MicroValue start = ComputedLimit.fromFront(f, lowering, "StartsTensorList", i, shape[axis]);
      MicroValue first = f.apply(BinaryOperator.MAXIMUM, start, 0L);
      MicroValue end =
          f.apply(BinaryOperator.MINIMUM, end(f, lowering, i, shape[axis]), shape[axis]);
      MicroValue isThere = f.repeat(f.apply(BinaryOperator.LESS, first, end), sliced);
      MicroValue element = f.graph().select(axis, result, f.repeat(first, sliced));
      result = f.graph().choose(isThere, element, f.constant(f.type(result), 0, sliced));
    }
    lowering.out("Out", f.reshape(result, withoutDecreased(call, sliced)));
  }

  /**
   * Refuses limits of {@code strided_slice} with which Paddle reads outside of an axis. With a
   * negative stride, Paddle reads an element even if the axis has none.
   */
  private static void checkLimits(OperatorCall call, long[] shape) {
    long[] axes = IntegerArguments.attribute(call, "axes");
    long[] starts = IntegerArguments.of(call, "starts", "StartsTensor", "StartsTensorList");
    long[] ends = IntegerArguments.of(call, "ends", "EndsTensor", "EndsTensorList");
    long[] strides = IntegerArguments.of(call, "strides", "StridesTensor", "StridesTensorList");
    for (int i = 0; i < axes.length; i++) {
      long extent = shape[Shapes.axis(axes[i], shape.length)];
      boolean isForward = strides.length == 0 || strides[i] > 0;
      if (isForward ? starts[i] > extent : ends[i] >= extent || extent == 0) {
        throw new OperatorException(
            "a slice from " + starts[i] + " to " + ends[i] + " of " + extent + " elements");
      }
    }
  }

  /**
   * Returns the shape without the axes that an operator removes; one element if it removes all
   * axes.
   */
  private static long[] withoutDecreased(OperatorCall call, long[] shape) {
    long[] decreased = IntegerArguments.attribute(call, "decrease_axis");
    int[] axes = new int[decreased.length];
    for (int i = 0; i < axes.length; i++) {
      axes[i] = Shapes.axis(decreased[i], shape.length);
    }
    long[] rest = Shapes.without(shape, axes);
    return rest.length == 0 ? new long[] {1} : rest;
  }

  /**
   * Lowers a crop: extracts a part of a given shape at given offsets. An extent of -1, or of 0 in
   * {@code crop_tensor}, is the rest of the axis after the offset.
   */
  private static void crop(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    long[] offsets = IntegerArguments.of(call, "offsets", "Offsets", "OffsetsTensor");
    long[] cropped =
        call.has("Y")
            ? call.shape("Y").toArray()
            : IntegerArguments.of(call, "shape", "Shape", "ShapeTensor").clone();
    IntegerArguments.exactly(shape.length, cropped, call.has("Y") ? "the shape of Y" : "shape");
    if (offsets.length > 0) {
      IntegerArguments.exactly(shape.length, offsets, "offsets");
    }
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      long offset = offsets.length == 0 ? 0 : offsets[axis];
      boolean isZeroTheRest = call.type().equals("crop_tensor") && !call.has("Y");
      boolean takesTheRest = cropped[axis] == -1 || (cropped[axis] == 0 && isZeroTheRest);
      cropped[axis] = takesTheRest ? shape[axis] - offset : cropped[axis];
      at[axis] = plus(loop(axis), offset);
    }
    lowering.out("Out", f.reindex(x, cropped, at));
  }
}
