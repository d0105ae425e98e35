package dev.sublet.runtime.kernel.onnx.element;

import static dev.sublet.runtime.micro.ir.BinaryOperator.EQUAL;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MAXIMUM;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MINIMUM;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxTypes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Linear quantization: {@code q = saturate(round(x / scale) + zero_point)}, halves to even, and its
 * inverse. Scale and zero point are for the whole tensor, for each place along an axis, or for
 * blocks along an axis.
 */
public final class OnnxQuantization {

  private OnnxQuantization() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    for (String domain : new String[] {"", "com.microsoft."}) {
      family.numbers(domain + "QuantizeLinear", OutputTypes.like(2), OnnxQuantization::quantize);
      family.numbers(
          domain + "DequantizeLinear", OutputTypes.like(1), OnnxQuantization::dequantize);
    }
    family.numbers(
        "DynamicQuantizeLinear", OutputTypes.asComputed(), OnnxQuantization::quantizeByRange);
  }

  private static void quantize(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    MicroValue scale = spread(f, call, lowering.in("1"), f.shape(x));
    ElementType type =
        call.has("2")
            ? call.writtenType("2")
            : call.integer("output_dtype", 0) == 0
                ? ElementType.UINT8
                : OnnxTypes.ofNumber(call.integer("output_dtype", 0));
    if (!call.has("2") && !type.isNarrow()) {
      throw new OperatorException("quantization to " + type + " without a zero point");
    }
    MicroValue number = f.as(f.type(scale), x);
    MicroValue rounded = OnnxFunctions.rounded(f, f.over(number, scale));
    MicroValue zero =
        call.has("2")
            ? f.as(f.type(scale), spread(f, call, lowering.in("2"), f.shape(x)))
            : f.number(scale, 0);
    MicroValue quantized = saturated(f, f.plus(rounded, zero), type);
    lowering.out("0", call.has("2") ? quantized : f.as(type, quantized));
  }

  /** Returns whole numbers within the limits of an integer type, as INT32. */
  static MicroValue saturated(Formula f, MicroValue x, ElementType type) {
    long least =
        switch (type) {
          case UINT8, UINT16 -> 0;
          case INT8 -> -128;
          case INT16 -> -32768;
          default -> throw new OperatorException("quantization to " + type);
        };
    long most = least + (type.bytes() == 1 ? 255 : 65535);
    MicroValue limited = f.apply(MINIMUM, f.apply(MAXIMUM, x, (double) least), (double) most);
    return f.as(ElementType.INT32, limited);
  }

  private static void dequantize(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    MicroValue scale = spread(f, call, lowering.in("1"), f.shape(x));
    MicroValue shifted =
        call.has("2") ? f.minus(x, spread(f, call, lowering.in("2"), f.shape(x))) : x;
    lowering.out("0", f.times(f.as(f.type(scale), shifted), scale));
  }

  /** Repeats a scale or a zero point to the shape of the tensor that it is for. */
  private static MicroValue spread(Formula f, OperatorCall call, MicroValue x, long[] shape) {
    long[] from = f.shape(x);
    long blockSize = call.integer("block_size", 0);
    if (from.length == 0 || (from.length == 1 && from[0] == 1 && blockSize == 0)) {
      return f.repeat(x, shape);
    }
    int axis = Shapes.axis(call.integer("axis", 1), shape.length);
    if (blockSize == 0) {
      Shapes.ofRank(1, from, "1");
      if (from[0] != shape[axis]) {
        throw new OperatorException(from[0] + " scales for an extent of " + shape[axis]);
      }
      return f.along(x, shape, axis);
    }
    Shapes.ofRank(shape.length, from, "1");
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int i = 0; i < shape.length; i++) {
      at[i] = i == axis ? Indices.over(Indices.loop(i), blockSize) : Indices.loop(i);
    }
    return f.reindex(x, shape, at);
  }

  /**
   * Lowers {@code DynamicQuantizeLinear}: the range of UINT8 is that of the input's elements and 0.
   */
  private static void quantizeByRange(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    MicroValue all = f.reshape(x, Shapes.count(f.shape(x)));
    MicroValue least = scalar(f, f.apply(MINIMUM, f.reduce(Reduction.MINIMUM, all, 0), 0.0));
    MicroValue most = scalar(f, f.apply(MAXIMUM, f.reduce(Reduction.MAXIMUM, all, 0), 0.0));
    MicroValue range = f.minus(most, least);
    MicroValue scale =
        f.graph().choose(f.apply(EQUAL, range, 0.0), f.number(x, 1), f.over(range, 255.0));
    MicroValue start = f.minus(0, f.over(least, scale));
    MicroValue zero = saturated(f, OnnxFunctions.rounded(f, start), ElementType.UINT8);
    MicroValue rounded = OnnxFunctions.rounded(f, f.over(x, f.repeat(scale, f.shape(x))));
    MicroValue shifted = f.plus(rounded, f.repeat(f.as(ElementType.FLOAT32, zero), f.shape(x)));
    lowering.out("0", f.as(ElementType.UINT8, saturated(f, shifted, ElementType.UINT8)));
    lowering.out("1", scale);
    lowering.out("2", f.as(ElementType.UINT8, zero));
  }

  private static MicroValue scalar(Formula f, MicroValue x) {
    return f.reindex(x, new long[0], Indices.number(0));
  }
}
