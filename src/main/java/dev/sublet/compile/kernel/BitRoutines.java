package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;

/** ONNX's operators on the bits of integers in C. */
final class BitRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "BitwiseAnd", call -> bits(call, "and", "1"),
          "BitwiseOr", call -> bits(call, "or", "1"),
          "BitwiseXor", call -> bits(call, "xor", "1"),
          "BitwiseNot", call -> bits(call, "not", "0"),
          "BitShift", call -> bits(call, call.text("direction", ""), "1"));

  /** The operations, in the order of their numbers in C. */
  private static final List<String> OPERATIONS =
      List.of("and", "or", "xor", "not", "LEFT", "RIGHT");

  private BitRoutines() {}

  private static CRoutine bits(OperatorCall call, String operation, String second) {
    Tensor x = call.input("0");
    Tensor y = call.input(second);
    int number = OPERATIONS.indexOf(operation);
    if (number < 0 || x.type().isFloating() || x.type() != y.type()) {
      throw new OperatorException(operation + " of " + x.type() + " and " + y.type());
    }
    if (x.type() == ElementType.BOOL) {
      throw new UncompiledException("computes with bits of " + x.type());
    }
    long[] shape = NumpyBroadcast.shape(x.shape().toArray(), y.shape().toArray());
    long[] extents = shape.length == 0 ? new long[] {1} : shape;
    return new RoutineBuilder(call)
        .declare("0", x.type(), shape)
        .call("bits_" + CLibrary.suffix(x.type()))
        .numbers(number, extents.length)
        .list(ImmutableLongArray.copyOf(extents))
        .list(steps(x, extents))
        .list(steps(y, extents))
        .in("0")
        .in(second)
        .toOut("0")
        .build();
  }

  /** Returns the distance of elements along each axis of a broadcast: 0 where they repeat. */
  private static ImmutableLongArray steps(Tensor x, long[] shape) {
    long[] steps = new long[shape.length];
    long step = 1;
    for (int axis = 1; axis <= x.rank(); axis++) {
      long extent = x.size(x.rank() - axis);
      steps[shape.length - axis] = extent == 1 ? 0 : step;
      step *= extent;
    }
    return ImmutableLongArray.copyOf(steps);
  }
}
