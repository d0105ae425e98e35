package dev.sublet.runtime.kernel.onnx.element;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.tensor.Tensor;
import java.util.function.LongBinaryOperator;

/** Operators on the bits of integers, which micro ops do not have. */
public final class OnnxBits {

  private OnnxBits() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    register(family, "BitwiseAnd", (x, y) -> x & y);
    register(family, "BitwiseOr", (x, y) -> x | y);
    register(family, "BitwiseXor", (x, y) -> x ^ y);
    family.kernel("BitShift", Use.BITS, OutputTypes.like(0), OnnxBits::shift);
    family.kernel(
        "BitwiseNot",
        Use.BITS,
        OutputTypes.like(0),
        call -> result(call.input("0"), call.input("0"), (x, y) -> ~x));
  }

  private static void register(OnnxFamily family, String type, LongBinaryOperator operator) {
    family.kernel(
        type,
        Use.BITS,
        OutputTypes.like(0),
        call -> result(call.input("0"), call.input("1"), operator));
  }

  private static OperatorResult shift(OperatorCall call) {
    String direction = call.text("direction", "");
    return switch (direction) {
      case "LEFT" -> result(call.input("0"), call.input("1"), (x, y) -> y > 63 ? 0 : x << y);
      case "RIGHT" -> result(call.input("0"), call.input("1"), (x, y) -> y > 63 ? 0 : x >>> y);
      default -> throw new OperatorException("direction '" + direction + "'");
    };
  }

  private static OperatorResult result(Tensor x, Tensor y, LongBinaryOperator operator) {
    if (x.type().isFloating() || x.type() != y.type()) {
      throw new OperatorException("bits of " + x.type() + " and " + y.type());
    }
    long[] shape = NumpyBroadcast.shape(x.shape().toArray(), y.shape().toArray());
    Tensor result = Tensor.zeros(x.type(), ImmutableLongArray.copyOf(shape));
    int[] xAt = NumpyBroadcast.places(x.shape().toArray(), shape);
    int[] yAt = NumpyBroadcast.places(y.shape().toArray(), shape);
    for (int i = 0; i < xAt.length; i++) {
      ElementWriter.put(result, i, operator.applyAsLong(x.getLong(xAt[i]), y.getLong(yAt[i])));
    }
    return OperatorResult.of("0", result);
  }
}
