package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.minus;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/**
 * {@code set_value}: replaces the elements of a slice by a value, which repeats to the slice's
 * shape.
 *
 * <pre>Input = [1, 2, 3, 4], starts 1, ends 3, value 9    Out = [1, 9, 9, 4]</pre>
 *
 * <p>It is a lowering, unless the value is a list of numbers in an attribute.
 */
final class SetValueKernel implements Kernel {

  private final Kernel inner;

  private SetValueKernel(Kernel inner) {
    this.inner = inner;
  }

  /** Registers the kernel. */
  static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("set_value", SetValueKernel::new, SetValueKernel::lower);
  }

  @Override
  public boolean isLowered() {
    return true;
  }

  @Override
  public Optional<Translation> translate(OperatorCall call) {
    return call.has("ValueTensor") ? inner.translate(call) : Optional.empty();
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    return call.has("ValueTensor") ? inner.run(call) : setValue(call);
  }

  private static SliceRange[] ranges(OperatorCall call, long[] shape) {
    long[] axes = IntegerArguments.attribute(call, "axes");
    if (Arrays.stream(axes).anyMatch(axis -> axis < 0)) {
      throw new OperatorException(
          "a negative axis, for which Paddle 2.3 fails or replaces nothing; give the axis counted"
              + " from the front");
    }
    return SliceRange.of(
        axes,
        shape,
        IntegerArguments.of(call, "starts", "", "StartsTensorList"),
        IntegerArguments.of(call, "ends", "", "EndsTensorList"),
        IntegerArguments.of(call, "steps", "", "StepsTensorList"),
        /* lowestEnd= */ -1);
  }

  private static long[] extents(SliceRange[] ranges) {
    return Arrays.stream(ranges).mapToLong(SliceRange::extent).toArray();
  }

  private static void lower(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue input = lowering.in("Input");
    MicroValue value = lowering.in("ValueTensor");
    long[] shape = f.shape(input);
    if (ComputedLimit.isIn(call, "StartsTensorList")
        || ComputedLimit.isIn(call, "EndsTensorList")) {
      lowerComputed(f, lowering, shape);
      return;
    }
    SliceRange[] ranges = ranges(call, shape);
    long[] sliced = extents(ranges);
    if (Shapes.count(sliced) == 0) {
      lowering.out("Out", f.reshape(input, shape));
      return;
    }
    long[] target = assignedShape(call, sliced);
    check(f.shape(value), target);
    MicroValue slice = f.reshape(filled(f, value, target), sliced);
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      SliceRange range = ranges[axis];
      IndexExpression distance =
          range.stride() > 0
              ? plus(loop(axis), -range.start())
              : minus(number(range.start()), loop(axis));
      at[axis] = over(distance, Math.abs(range.stride()));
    }
    MicroValue result = f.reindex(slice, shape, at);
    for (int axis = 0; axis < shape.length; axis++) {
      result = f.graph().choose(isIn(f, shape, axis, ranges[axis], at[axis]), result, input);
    }
    lowering.out("Out", result);
  }

  /**
   * Lowers a call whose limits the program computes. The value must have extent 1 along their axes,
   * since the extent of the slice is not known.
   */
  private static void lowerComputed(Formula f, LoweringCall lowering, long[] shape) {
    OperatorCall call = lowering.call();
    long[] axes = IntegerArguments.attribute(call, "axes");
    long[] steps = IntegerArguments.of(call, "steps", "", "StepsTensorList");
    if (Arrays.stream(steps).anyMatch(step -> step != 1)) {
      ranges(call, shape); // needs the elements of the limits
    }
    checkCount(call, axes.length, "StartsTensorList");
    checkCount(call, axes.length, "EndsTensorList");
    long[] sliced = shape.clone();
    for (long axis : axes) {
      sliced[Shapes.axis(axis, shape.length)] = 1;
    }
    long[] target = assignedShape(call, sliced);
    MicroValue value = lowering.in("ValueTensor");
    if (!fits(f.shape(value), target)) {
      ranges(call, shape); // needs the elements of the limits
    }
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      at[axis] = sliced[axis] == 1 ? number(0) : loop(axis);
    }
    MicroValue result = f.reindex(f.reshape(filled(f, value, target), sliced), shape, at);
    for (int i = 0; i < axes.length; i++) {
      int axis = Shapes.axis(axes[i], shape.length);
      MicroValue place = f.position(shape, loop(axis));
      MicroValue start =
          f.repeat(ComputedLimit.fromFront(f, lowering, "StartsTensorList", i, shape[axis]), shape);
      MicroValue end =
          f.repeat(ComputedLimit.fromFront(f, lowering, "EndsTensorList", i, shape[axis]), shape);
      MicroValue isInside =
          f.apply(
              BinaryOperator.AND,
              f.apply(BinaryOperator.GREATER_EQUAL, place, start),
              f.apply(BinaryOperator.LESS, place, end));
      result = f.graph().choose(isInside, result, lowering.in("Input"));
    }
    lowering.out("Out", result);
  }

  private static void checkCount(OperatorCall call, int axes, String slot) {
    if (!call.has(slot) || call.arguments(slot).size() != axes) {
      throw new OperatorException(axes + " axes, and another number of " + slot);
    }
  }

  /** Returns whether each element's index along an axis is one of the slice. */
  private static MicroValue isIn(
      Formula f, long[] shape, int axis, SliceRange range, IndexExpression at) {
    MicroValue place = f.position(shape, at);
    MicroValue element = f.position(shape, plus(times(at, range.stride()), range.start()));
    MicroValue isElement = f.apply(BinaryOperator.EQUAL, element, f.position(shape, loop(axis)));
    MicroValue isInside =
        f.apply(
            BinaryOperator.AND,
            f.apply(BinaryOperator.GREATER_EQUAL, place, 0L),
            f.apply(BinaryOperator.LESS, place, range.extent()));
    return f.apply(BinaryOperator.AND, isElement, isInside);
  }

  /** Returns the value repeated to the shape of the slice. */
  private static MicroValue filled(Formula f, MicroValue value, long[] target) {
    long[] own = f.shape(value);
    IndexExpression[] at = new IndexExpression[own.length];
    for (int axis = 0; axis < own.length; axis++) {
      at[axis] = own[axis] == 1 ? number(0) : loop(axis + target.length - own.length);
    }
    return f.reindex(value, target, at);
  }

  private static void check(long[] value, long[] target) {
    if (!fits(value, target)) {
      throw new OperatorException(
          "a value of " + Arrays.toString(value) + " for " + Arrays.toString(target));
    }
  }

  private static boolean fits(long[] value, long[] target) {
    boolean fits = value.length <= target.length;
    for (int axis = 1; fits && axis <= value.length; axis++) {
      long own = value[value.length - axis];
      fits = own == 1 || own == target[target.length - axis];
    }
    return fits;
  }

  private static OperatorResult setValue(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("Input"));
    long[] shape = out.shape().toArray();
    SliceRange[] ranges = ranges(call, shape);
    long[] sliced = extents(ranges);
    Tensor value = value(call, out.type());
    long[] target = assignedShape(call, sliced);
    if (Shapes.count(sliced) > 0) {
      check(value.shape().toArray(), target);
    }
    int count = (int) Shapes.count(sliced);
    for (int i = 0; i < count; i++) {
      ElementWriter.copy(
          value, repeatedPlace(i, target, value), out, slicedPlace(i, ranges, shape), 1);
    }
    return OperatorResult.of("Out", out);
  }

  private static Tensor value(OperatorCall call, ElementType type) {
    ElementType given = ElementTypes.ofNumber(call.integer("dtype", -1), type);
    if (given != type) {
      throw new OperatorException("values of " + given + " for a tensor of " + type);
    }
    return AttributeValues.of(call, type, ImmutableLongArray.copyOf(call.integers("shape")));
  }

  /**
   * Returns the slice's shape for the broadcast of the value: without decreased axes, with new axes
   * of extent 1.
   */
  private static long[] assignedShape(OperatorCall call, long[] sliced) {
    long[] decreased = IntegerArguments.attribute(call, "decrease_axes");
    int[] gone = new int[decreased.length];
    for (int i = 0; i < gone.length; i++) {
      gone[i] = Shapes.axis(decreased[i], sliced.length);
      if (sliced[gone[i]] != 1 && Shapes.count(sliced) > 0) {
        throw new OperatorException(
            sliced[gone[i]] + " elements along axis " + decreased[i] + ", which must have one");
      }
    }
    long[] shape = Shapes.without(sliced, gone);
    if (shape.length == 0) {
      shape = new long[] {1}; // Paddle 2.3 has no tensors without axes.
    }
    for (long axis : IntegerArguments.attribute(call, "none_axes")) {
      int before = Shapes.axis(axis, shape.length + 1);
      long[] wider = new long[shape.length + 1];
      System.arraycopy(shape, 0, wider, 0, before);
      wider[before] = 1;
      System.arraycopy(shape, before, wider, before + 1, shape.length - before);
      shape = wider;
    }
    return shape;
  }

  /** Returns the position in the value of the slice's i-th element. */
  private static int repeatedPlace(int i, long[] target, Tensor value) {
    int place = 0;
    int stride = 1;
    long rest = i;
    for (int axis = 1; axis <= value.rank(); axis++) {
      long own = value.size(value.rank() - axis);
      long extent = axis <= target.length ? target[target.length - axis] : 1;
      place += own == 1 ? 0 : (int) (rest % extent) * stride;
      rest /= extent;
      stride *= (int) own;
    }
    return place;
  }

  /** Returns the position in the tensor of the slice's i-th element. */
  private static int slicedPlace(int i, SliceRange[] ranges, long[] shape) {
    long place = 0;
    long stride = 1;
    long rest = i;
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      SliceRange range = ranges[axis];
      place += (range.start() + rest % range.extent() * range.stride()) * stride;
      rest /= range.extent();
      stride *= shape[axis];
    }
    return (int) place;
  }
}
