package dev.sublet.runtime.kernel.onnx.element;

import static dev.sublet.runtime.micro.ir.BinaryOperator.LESS;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;

/**
 * ONNX Runtime's operators on quantized tensors: numbers are computed from integers by scale and
 * zero point, and the result is quantized again.
 *
 * <pre>{@code
 * QLinearAdd: q = saturate(round(((a - az) as + (b - bz) bs) / cs) + cz)
 * }</pre>
 */
public final class OnnxQuantizedFunctions {

  private static final String DOMAIN = "com.microsoft.";

  private OnnxQuantizedFunctions() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    register(family, "QLinearAdd", 0, lowering -> binary(lowering, BinaryOperator.ADD));
    register(family, "QLinearMul", 0, lowering -> binary(lowering, BinaryOperator.MULTIPLY));
    register(family, "QLinearLeakyRelu", 0, OnnxQuantizedFunctions::leakyRelu);
    register(family, "QLinearSigmoid", 0, OnnxQuantizedFunctions::sigmoid);
    register(family, "QLinearSoftmax", 0, OnnxQuantizedFunctions::softmax);
    register(family, "QLinearWhere", 1, OnnxQuantizedFunctions::where);
  }

  private static void register(OnnxFamily family, String type, int typed, Lowering lowering) {
    family.lowered(DOMAIN + type, Use.NUMBERS, OutputTypes.like(typed), lowering);
  }

  /** Returns the numbers of a quantized input, whose scale and zero point are the next inputs. */
  private static MicroValue numbers(Formula f, LoweringCall lowering, int input, long[] shape) {
    MicroValue x = NumpyBroadcast.stretch(f, lowering.in(Integer.toString(input)), shape);
    MicroValue scale = f.repeat(lowering.in(Integer.toString(input + 1)), shape);
    String zero = Integer.toString(input + 2);
    MicroValue shifted = lowering.has(zero) ? f.minus(x, f.repeat(lowering.in(zero), shape)) : x;
    return f.times(f.as(f.type(scale), shifted), scale);
  }

  /** Sets the output to the quantized form of numbers. */
  private static void quantize(
      Formula f, LoweringCall lowering, MicroValue x, int scaleInput, int typed) {
    long[] shape = f.shape(x);
    MicroValue scale = f.repeat(lowering.in(Integer.toString(scaleInput)), shape);
    MicroValue rounded = OnnxFunctions.rounded(f, f.over(x, scale));
    String zero = Integer.toString(scaleInput + 1);
    MicroValue shifted =
        lowering.has(zero)
            ? f.plus(rounded, f.as(f.type(x), f.repeat(lowering.in(zero), shape)))
            : rounded;
    lowering.out(
        "0",
        OnnxQuantization.saturated(
            f, shifted, lowering.call().writtenType(Integer.toString(typed))));
  }

  private static long[] shape(Formula f, LoweringCall lowering, String... slots) {
    long[][] shapes = new long[slots.length][];
    for (int i = 0; i < slots.length; i++) {
      shapes[i] = f.shape(lowering.in(slots[i]));
    }
    return NumpyBroadcast.shape(shapes);
  }

  private static void binary(LoweringCall lowering, BinaryOperator operator) {
    Formula f = new Formula(lowering.graph());
    long[] shape = shape(f, lowering, "0", "3");
    MicroValue result =
        f.apply(operator, numbers(f, lowering, 0, shape), numbers(f, lowering, 3, shape));
    quantize(f, lowering, result, 6, 0);
  }

  private static void leakyRelu(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = numbers(f, lowering, 0, shape(f, lowering, "0"));
    MicroValue negative = f.times(x, lowering.call().real("alpha", 0.01));
    quantize(f, lowering, f.graph().choose(f.apply(LESS, x, 0.0), negative, x), 3, 0);
  }

  private static void sigmoid(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = numbers(f, lowering, 0, shape(f, lowering, "0"));
    quantize(f, lowering, f.apply(UnaryOperator.SIGMOID, x), 3, 0);
  }

  private static void softmax(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    long[] shape = shape(f, lowering, "0");
    MicroValue x = numbers(f, lowering, 0, shape);
    boolean isFlat = lowering.call().integer("opset", 13) < 13;
    int axis = Shapes.axis(lowering.call().integer("axis", isFlat ? 1 : -1), shape.length);
    if (!isFlat) {
      quantize(f, lowering, OnnxSoftmax.softmax(f, x, axis), 3, 0);
      return;
    }
    long rows = Shapes.count(shape, 0, axis);
    MicroValue matrix = f.reshape(x, rows, Shapes.count(shape, axis, shape.length));
    quantize(f, lowering, f.reshape(OnnxSoftmax.softmax(f, matrix, 1), shape), 3, 0);
  }

  private static void where(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    long[] shape = shape(f, lowering, "0", "1", "4");
    MicroValue chosen =
        f.graph()
            .choose(
                NumpyBroadcast.stretch(f, lowering.in("0"), shape),
                numbers(f, lowering, 1, shape),
                numbers(f, lowering, 4, shape));
    quantize(f, lowering, chosen, 7, 1);
  }
}
