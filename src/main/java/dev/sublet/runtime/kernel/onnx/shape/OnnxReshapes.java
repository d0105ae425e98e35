package dev.sublet.runtime.kernel.onnx.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Operators that return the elements of a tensor in another shape, or the shape itself. */
public final class OnnxReshapes {

  private OnnxReshapes() {}

  /** Computes the shape of an operator's output from the shape of input 0. */
  private interface NewShape {

    long[] of(OperatorCall call, long[] shape);
  }

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    reshape(family, "Flatten", OnnxReshapes::flattened);
    reshape(family, "Identity", (call, shape) -> shape);
    reshape(family, "Reshape", OnnxReshapes::reshaped);
    reshape(family, "Squeeze", OnnxReshapes::squeezed);
    reshape(family, "Unsqueeze", OnnxReshapes::unsqueezed);
    reshape(family, "com.microsoft.ExpandDims", OnnxReshapes::unsqueezed);
    family.kernel("Shape", OnnxReshapes::shape);
    family.kernel("Size", OnnxReshapes::size);
  }

  private static void reshape(OnnxFamily family, String type, NewShape shape) {
    family.moves(type, lowering -> reshape(lowering, shape));
  }

  private static void reshape(LoweringCall lowering, NewShape rule) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] shape = rule.of(lowering.call(), f.shape(x));
    if (Shapes.length(shape) != Shapes.count(f.shape(x))) {
      throw new OperatorException(
          "elements of shape "
              + Arrays.toString(f.shape(x))
              + " do not fit the shape "
              + Arrays.toString(shape));
    }
    lowering.out("0", f.reshape(x, shape));
  }

  private static long[] flattened(OperatorCall call, long[] shape) {
    long given = call.integer("axis", 1);
    int axis = given == shape.length ? shape.length : Shapes.axis(given, shape.length);
    return new long[] {Shapes.count(shape, 0, axis), Shapes.count(shape, axis, shape.length)};
  }

  /** A 0 keeps the extent of the input unless zeros are allowed; -1 is the rest. */
  private static long[] reshaped(OperatorCall call, long[] shape) {
    long[] target = IntegerArguments.of(call, "shape", "1").clone();
    int open = -1;
    for (int axis = 0; axis < target.length; axis++) {
      if (target[axis] == 0 && !call.flag("allowzero", false)) {
        target[axis] = shape[Shapes.axis(axis, shape.length)];
      } else if (target[axis] == -1) {
        if (open >= 0) {
          throw new OperatorException("two extents of " + Arrays.toString(target) + " are -1");
        }
        open = axis;
      }
    }
    if (open >= 0) {
      long others = Shapes.count(Shapes.with(target, open, 1));
      target[open] = others == 0 ? 0 : Shapes.count(shape) / others;
    }
    return target;
  }

  /** Axes are those of the input; without axes all extents of 1 are removed. */
  private static long[] squeezed(OperatorCall call, long[] shape) {
    long[] named = IntegerArguments.of(call, "axes", "1");
    if (named.length == 0) {
      return Arrays.stream(shape).filter(extent -> extent != 1).toArray();
    }
    int[] axes = Shapes.axes(named, shape.length);
    for (int axis : axes) {
      if (shape[axis] != 1) {
        throw new OperatorException("axis " + axis + " of extent " + shape[axis] + " cannot go");
      }
    }
    return Shapes.without(shape, axes);
  }

  /** Axes are those of the output. */
  private static long[] unsqueezed(OperatorCall call, long[] shape) {
    long[] named = IntegerArguments.of(call, "axes", "1");
    long[] wider = new long[shape.length + named.length];
    for (int axis : Shapes.axes(named, wider.length)) {
      wider[axis] = 1;
    }
    int next = 0;
    for (int axis = 0; axis < wider.length; axis++) {
      wider[axis] = wider[axis] == 1 ? 1 : shape[next++];
    }
    return wider;
  }

  private static OperatorResult shape(OperatorCall call) {
    long[] shape = call.shape("0").toArray();
    int start = limit(call.integer("start", 0), shape.length);
    int end = limit(call.integer("end", shape.length), shape.length);
    long[] part = IntStream.range(start, end).mapToLong(axis -> shape[axis]).toArray();
    return OperatorResult.of("0", Tensor.of(ImmutableLongArray.of(part.length), part));
  }

  private static int limit(long limit, int rank) {
    return (int) Math.max(0, Math.min(limit < 0 ? limit + rank : limit, rank));
  }

  private static OperatorResult size(OperatorCall call) {
    long size = call.input("0").length();
    return OperatorResult.of("0", Tensor.of(ImmutableLongArray.of(), size));
  }
}
