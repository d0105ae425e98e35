package dev.sublet.runtime.kernel.onnx.element;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.elementwise.Broadcast;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.List;

/** Functions of the elements of several tensors in the same place, with broadcast. */
public final class OnnxElementwise {

  private OnnxElementwise() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    arithmetic(family, "Add", BinaryOperator.ADD);
    arithmetic(family, "Sub", BinaryOperator.SUBTRACT);
    arithmetic(family, "Mul", BinaryOperator.MULTIPLY);
    family.numbers("Div", lowering -> binary(lowering, BinaryOperator.DIVIDE));
    family.numbers("Pow", OnnxElementwise::power);
    family.numbers("Mod", OnnxElementwise::modulo);
    comparison(family, "Equal", BinaryOperator.EQUAL);
    comparison(family, "Greater", BinaryOperator.GREATER);
    comparison(family, "GreaterOrEqual", BinaryOperator.GREATER_EQUAL);
    comparison(family, "Less", BinaryOperator.LESS);
    comparison(family, "LessOrEqual", BinaryOperator.LESS_EQUAL);
    family.moves("And", lowering -> binary(lowering, BinaryOperator.AND));
    family.moves("Or", lowering -> binary(lowering, BinaryOperator.OR));
    family.moves("Xor", lowering -> binary(lowering, BinaryOperator.XOR));
    family.numbers("Max", lowering -> folded(lowering, BinaryOperator.MAXIMUM));
    family.numbers("Min", lowering -> folded(lowering, BinaryOperator.MINIMUM));
    family.numbers("Sum", lowering -> folded(lowering, BinaryOperator.ADD));
    family.numbers("Mean", OnnxElementwise::mean);
    family.lowered("Where", Use.MOVES, OutputTypes.like(1), OnnxElementwise::where);
    family.numbers("PRelu", OnnxElementwise::prelu);
    family.numbers("Clip", OnnxElementwise::clip);
  }

  private static void arithmetic(OnnxFamily family, String type, BinaryOperator operator) {
    family.lowered(type, Use.BITS, OutputTypes.like(0), lowering -> binary(lowering, operator));
  }

  private static void comparison(OnnxFamily family, String type, BinaryOperator operator) {
    family.numbers(type, OutputTypes.asComputed(), lowering -> binary(lowering, operator));
  }

  private static void binary(LoweringCall lowering, BinaryOperator operator) {
    Formula f = new Formula(lowering.graph());
    if (isOfOldOpset(lowering.call())) {
      MicroValue x = lowering.in("0");
      MicroValue y = lowering.in("1");
      Broadcast broadcast = Broadcast.of(f, x, y, lowering.call().integer("axis", -1));
      lowering.out("0", f.apply(operator, broadcast.stretched(x), broadcast.stretched(y)));
      return;
    }
    List<MicroValue> inputs = NumpyBroadcast.inputs(f, lowering, 2);
    lowering.out("0", f.apply(operator, inputs.get(0), inputs.get(1)));
  }

  /** Whether an operator aligns its second input with a given axis, as before opset 7. */
  private static boolean isOfOldOpset(OperatorCall call) {
    return call.integer("broadcast", 0) == 1 && call.operation().attribute("axis").isPresent();
  }

  /** Lowers {@code Pow}: integers are raised in float64 if the exponent is no integer. */
  private static void power(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    List<MicroValue> inputs = NumpyBroadcast.inputs(f, lowering, 2);
    MicroValue x = inputs.get(0);
    MicroValue y = inputs.get(1);
    boolean isMixed = !f.type(x).isFloating() && f.type(y).isFloating();
    ElementType type = isMixed ? ElementType.FLOAT64 : f.type(x);
    MicroValue power = f.apply(BinaryOperator.POWER, f.as(type, x), f.as(type, y));
    lowering.out("0", f.as(f.type(x), power));
  }

  /** Lowers {@code Mod}: the result has the sign of the divisor, or with fmod of the dividend. */
  private static void modulo(LoweringCall lowering) {
    if (lowering.call().integer("fmod", 0) == 0) {
      binary(lowering, BinaryOperator.MODULO);
      return;
    }
    Formula f = new Formula(lowering.graph());
    List<MicroValue> inputs = NumpyBroadcast.inputs(f, lowering, 2);
    MicroValue x = inputs.get(0);
    MicroValue size =
        f.apply(
            BinaryOperator.MODULO,
            OnnxFunctions.absolute(f, x),
            OnnxFunctions.absolute(f, inputs.get(1)));
    MicroValue isNegative = f.apply(BinaryOperator.LESS, x, f.number(x, 0));
    lowering.out("0", f.graph().choose(isNegative, OnnxFunctions.negative(f, size), size));
  }

  private static void folded(LoweringCall lowering, BinaryOperator operator) {
    Formula f = new Formula(lowering.graph());
    lowering.out("0", folded(f, lowering, operator));
  }

  private static MicroValue folded(Formula f, LoweringCall lowering, BinaryOperator operator) {
    List<MicroValue> inputs = NumpyBroadcast.inputs(f, lowering, 1);
    MicroValue result = inputs.get(0);
    for (MicroValue input : inputs.subList(1, inputs.size())) {
      result = f.apply(operator, result, input);
    }
    return result;
  }

  private static void mean(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    int count = lowering.call().inputs().size();
    lowering.out("0", f.over(folded(f, lowering, BinaryOperator.ADD), (double) count));
  }

  private static void where(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    List<MicroValue> inputs = NumpyBroadcast.inputs(f, lowering, 3);
    lowering.out("0", f.graph().choose(inputs.get(0), inputs.get(1), inputs.get(2)));
  }

  private static void prelu(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    List<MicroValue> inputs = NumpyBroadcast.inputs(f, lowering, 2);
    MicroValue x = inputs.get(0);
    MicroValue isNegative = f.apply(BinaryOperator.LESS, x, f.number(x, 0));
    lowering.out("0", f.graph().choose(isNegative, f.times(inputs.get(1), x), x));
  }

  /** Lowers {@code Clip}, whose limits are inputs, or attributes before opset 11. */
  private static void clip(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    MicroValue clipped = x;
    if (call.has("1")) {
      clipped = f.apply(BinaryOperator.MAXIMUM, clipped, limit(f, lowering, "1", x));
    } else if (call.operation().attribute("min").isPresent()) {
      clipped = f.apply(BinaryOperator.MAXIMUM, clipped, call.real("min", 0));
    }
    if (call.has("2")) {
      clipped = f.apply(BinaryOperator.MINIMUM, clipped, limit(f, lowering, "2", x));
    } else if (call.operation().attribute("max").isPresent()) {
      clipped = f.apply(BinaryOperator.MINIMUM, clipped, call.real("max", 0));
    }
    lowering.out("0", clipped);
  }

  private static MicroValue limit(Formula f, LoweringCall lowering, String slot, MicroValue x) {
    lowering.call().scalarInput(slot);
    return f.repeat(lowering.in(slot), f.shape(x));
  }
}
