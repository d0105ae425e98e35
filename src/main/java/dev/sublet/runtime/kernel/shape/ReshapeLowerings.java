package dev.sublet.runtime.kernel.shape;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Operators that change only the shape. The second form of each operator has an output {@code
 * XShape} without elements, whose extents after the first are those of X.
 */
public final class ReshapeLowerings {

  private ReshapeLowerings() {}

  /** A function that computes the new shape. */
  private interface Target {
    long[] of(OperatorCall call, long[] shape);
  }

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    register(kernels, "flatten", ReshapeLowerings::flattened);
    register(kernels, "reshape", ReshapeLowerings::reshaped);
    register(kernels, "squeeze", ReshapeLowerings::squeezed);
    register(kernels, "unsqueeze", ReshapeLowerings::unsqueezed);
    kernels.lowered(
        "flatten_contiguous_range", lowering -> lower(lowering, ReshapeLowerings::flattenedRange));
    kernels.lowered("flatten_contiguous_range_grad", ReshapeLowerings::gradient);
  }

  private static void register(KernelRegistry.Builder kernels, String type, Target target) {
    kernels.lowered(type, lowering -> lower(lowering, target));
    kernels.lowered(type + "2", lowering -> lower(lowering, target));
    kernels.lowered(type + "_grad", ReshapeLowerings::gradient);
    kernels.lowered(type + "2_grad", ReshapeLowerings::gradient);
  }

  private static void lower(LoweringCall lowering, Target target) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    long[] reshaped = target.of(lowering.call(), shape);
    if (Shapes.count(reshaped) != Shapes.count(shape)) {
      throw new OperatorException(
          Arrays.toString(shape) + " has not as many elements as " + Arrays.toString(reshaped));
    }
    lowering.out("Out", f.reshape(x, reshaped));
    shapeOutput(lowering, f, x);
  }

  /** Adds the output {@code XShape} if the operator has it. */
  static void shapeOutput(LoweringCall lowering, Formula f, MicroValue x) {
    if (lowering.call().wants("XShape")) {
      long[] shape = Shapes.concat(new long[] {0}, f.shape(x));
      lowering.out("XShape", f.constant(f.type(x), 0, shape));
    }
  }

  /** Returns the shape of X, from {@code XShape} or from X itself. */
  static long[] rememberedShape(OperatorCall call) {
    if (call.has("XShape")) {
      long[] shape = call.shape("XShape").toArray();
      return Arrays.copyOfRange(shape, 1, shape.length);
    }
    return call.shape("X").toArray();
  }

  private static void gradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("X@GRAD", f.reshape(lowering.in("Out@GRAD"), rememberedShape(lowering.call())));
  }

  /** Returns the new shape: 0 keeps an extent, -1 is computed from the others. */
  private static long[] reshaped(OperatorCall call, long[] shape) {
    long[] target = IntegerArguments.of(call, "shape", "Shape", "ShapeTensor").clone();
    int unknown = -1;
    long known = 1;
    for (int axis = 0; axis < target.length; axis++) {
      if (target[axis] == 0) {
        target[axis] = axis < shape.length ? shape[axis] : 0;
      }
      if (target[axis] == -1) {
        unknown = axis;
      } else {
        known *= target[axis];
      }
    }
    if (unknown >= 0) {
      target[unknown] = known == 0 ? 0 : Shapes.count(shape) / known;
    }
    return target;
  }

  /**
   * Returns the shape without the named axes of extent 1; without all axes of extent 1 if none is
   * named.
   */
  private static long[] squeezed(OperatorCall call, long[] shape) {
    long[] named = IntegerArguments.attribute(call, "axes");
    boolean[] goes = new boolean[shape.length];
    Arrays.fill(goes, named.length == 0);
    for (long axis : named) {
      goes[Shapes.axis(axis, shape.length)] = true;
    }
    List<Long> squeezed = new ArrayList<>();
    for (int axis = 0; axis < shape.length; axis++) {
      if (!goes[axis] || shape[axis] != 1) {
        squeezed.add(shape[axis]);
      }
    }
    return squeezed.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * Returns the shape with new axes of extent 1. Each position refers to the shape after the
   * previous insertions.
   */
  private static long[] unsqueezed(OperatorCall call, long[] shape) {
    List<Long> unsqueezed = new ArrayList<>();
    for (long extent : shape) {
      unsqueezed.add(extent);
    }
    for (long axis : IntegerArguments.of(call, "axes", "AxesTensor", "AxesTensorList")) {
      unsqueezed.add(Shapes.axis(axis, unsqueezed.size() + 1), 1L);
    }
    return unsqueezed.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns two extents: of all axes before a given axis, and of the axes from it on. */
  private static long[] flattened(OperatorCall call, long[] shape) {
    int axis = (int) call.integer("axis", 1);
    return new long[] {Shapes.count(shape, 0, axis), Shapes.count(shape, axis, shape.length)};
  }

  private static long[] flattenedRange(OperatorCall call, long[] shape) {
    int begin = Shapes.axis(call.integer("start_axis", 1), shape.length);
    int end = Shapes.axis(call.integer("stop_axis", 1), shape.length) + 1;
    return Shapes.concat(
        Arrays.copyOfRange(shape, 0, begin),
        new long[] {Shapes.count(shape, begin, end)},
        Arrays.copyOfRange(shape, end, shape.length));
  }
}
