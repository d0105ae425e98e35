package dev.sublet.runtime.kernel.onnx.element;

import static dev.sublet.runtime.micro.ir.BinaryOperator.EQUAL;
import static dev.sublet.runtime.micro.ir.BinaryOperator.GREATER;
import static dev.sublet.runtime.micro.ir.BinaryOperator.LESS;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MAXIMUM;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MINIMUM;
import static dev.sublet.runtime.micro.ir.BinaryOperator.NOT_EQUAL;
import static dev.sublet.runtime.micro.ir.BinaryOperator.OR;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/** Functions of each element: mathematical functions and activations. */
public final class OnnxFunctions {

  private OnnxFunctions() {}

  /** A function of one value whose parameters are attributes of the call. */
  private interface Function {
    MicroValue of(Formula f, OperatorCall call, MicroValue x);
  }

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    operator(family, "Abs", UnaryOperator.ABSOLUTE);
    operator(family, "Acos", UnaryOperator.ACOS);
    operator(family, "Asin", UnaryOperator.ASIN);
    operator(family, "Atan", UnaryOperator.ATAN);
    operator(family, "Ceil", UnaryOperator.CEIL);
    operator(family, "Cos", UnaryOperator.COS);
    operator(family, "Cosh", UnaryOperator.COSH);
    operator(family, "Erf", UnaryOperator.ERF);
    operator(family, "Exp", UnaryOperator.EXP);
    operator(family, "Floor", UnaryOperator.FLOOR);
    operator(family, "Log", UnaryOperator.LOG);
    operator(family, "Neg", UnaryOperator.NEGATE);
    operator(family, "Not", UnaryOperator.NOT);
    operator(family, "Reciprocal", UnaryOperator.RECIPROCAL);
    operator(family, "Sigmoid", UnaryOperator.SIGMOID);
    operator(family, "Sign", UnaryOperator.SIGN);
    operator(family, "Sin", UnaryOperator.SIN);
    operator(family, "Sinh", UnaryOperator.SINH);
    operator(family, "Sqrt", UnaryOperator.SQRT);
    operator(family, "Tan", UnaryOperator.TAN);
    operator(family, "Tanh", UnaryOperator.TANH);
    function(family, "Acosh", (f, c, x) -> inverseCosh(f, x));
    function(family, "Asinh", (f, c, x) -> inverseSinh(f, x));
    function(family, "Atanh", (f, c, x) -> inverseTanh(f, x));
    function(family, "Round", (f, c, x) -> rounded(f, x));
    test(family, "IsNaN", (f, c, x) -> f.apply(NOT_EQUAL, x, x));
    test(family, "IsInf", OnnxFunctions::isInfinite);
    activations(family);
    contributed(family);
  }

  private static void activations(OnnxFamily family) {
    function(family, "Celu", OnnxFunctions::celu);
    function(family, "Elu", (f, c, x) -> elu(f, x, c.real("alpha", 1)));
    function(family, "Gelu", (f, c, x) -> gelu(f, c.text("approximate", "none"), x));
    function(family, "HardSigmoid", OnnxFunctions::hardSigmoid);
    function(family, "HardSwish", (f, c, x) -> f.times(x, limitedLine(f, x, 1.0 / 6, 0.5)));
    function(family, "LeakyRelu", OnnxFunctions::leakyRelu);
    function(family, "Mish", (f, c, x) -> f.times(x, tanh(f, softplus(f, x))));
    function(family, "Relu", (f, c, x) -> f.apply(MAXIMUM, x, f.number(x, 0)));
    function(family, "Selu", OnnxFunctions::selu);
    function(family, "Shrink", OnnxFunctions::shrink);
    function(family, "Softplus", (f, c, x) -> softplus(f, x));
    function(family, "Softsign", (f, c, x) -> f.over(x, f.plus(absolute(f, x), 1.0)));
    function(family, "ThresholdedRelu", OnnxFunctions::thresholdedRelu);
  }

  /** Registers the operators of ONNX Runtime, which may add a bias to their input. */
  private static void contributed(OnnxFamily family) {
    function(family, "com.microsoft.Gelu", (f, c, x) -> gelu(f, "none", x));
    function(family, "com.microsoft.BiasGelu", (f, c, x) -> gelu(f, "none", x));
    function(family, "com.microsoft.FastGelu", (f, c, x) -> gelu(f, "tanh", x));
    function(
        family,
        "com.microsoft.QuickGelu",
        (f, c, x) ->
            f.times(x, f.apply(UnaryOperator.SIGMOID, f.times(x, c.real("alpha", 1.702)))));
  }

  private static void operator(OnnxFamily family, String type, UnaryOperator operator) {
    function(family, type, (f, c, x) -> f.apply(operator, x));
  }

  private static void function(OnnxFamily family, String type, Function function) {
    family.numbers(type, lowering -> lower(lowering, function));
  }

  private static void test(OnnxFamily family, String type, Function function) {
    family.numbers(type, OutputTypes.asComputed(), lowering -> lower(lowering, function));
  }

  private static void lower(LoweringCall lowering, Function function) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    if (lowering.has("1")) {
      x = f.plus(x, NumpyBroadcast.stretch(f, lowering.in("1"), f.shape(x)));
    }
    lowering.out("0", function.of(f, lowering.call(), x));
  }

  static MicroValue absolute(Formula f, MicroValue x) {
    return f.apply(UnaryOperator.ABSOLUTE, x);
  }

  static MicroValue negative(Formula f, MicroValue x) {
    return f.apply(UnaryOperator.NEGATE, x);
  }

  static MicroValue tanh(Formula f, MicroValue x) {
    return f.apply(UnaryOperator.TANH, x);
  }

  /** Returns the nearest integers; halves become even. */
  static MicroValue rounded(Formula f, MicroValue x) {
    MicroValue fraction = f.minus(x, f.apply(UnaryOperator.FLOOR, x));
    MicroValue even = f.times(f.apply(UnaryOperator.ROUND, f.times(x, 0.5)), 2.0);
    return f.graph().choose(f.apply(EQUAL, fraction, 0.5), even, f.apply(UnaryOperator.ROUND, x));
  }

  /** Returns log(x + √(x² − 1)), accurate near 1. */
  private static MicroValue inverseCosh(Formula f, MicroValue x) {
    MicroValue above = f.plus(x, -1.0);
    MicroValue root = f.sqrt(f.plus(f.times(above, 2.0), f.square(above)));
    return f.apply(UnaryOperator.LOG1P, f.plus(above, root));
  }

  /** Returns sign(x) log(|x| + √(x² + 1)), accurate near 0. */
  private static MicroValue inverseSinh(Formula f, MicroValue x) {
    MicroValue size = absolute(f, x);
    MicroValue square = f.square(size);
    MicroValue rest = f.over(square, f.plus(f.sqrt(f.plus(square, 1.0)), 1.0));
    MicroValue logarithm = f.apply(UnaryOperator.LOG1P, f.plus(size, rest));
    return f.graph().choose(f.apply(LESS, x, 0.0), negative(f, logarithm), logarithm);
  }

  /** Returns log((1 + x) / (1 − x)) / 2, accurate near 0. */
  private static MicroValue inverseTanh(Formula f, MicroValue x) {
    MicroValue quotient = f.over(f.times(x, 2.0), f.minus(1, x));
    return f.times(f.apply(UnaryOperator.LOG1P, quotient), 0.5);
  }

  private static MicroValue isInfinite(Formula f, OperatorCall call, MicroValue x) {
    MicroValue none = f.apply(NOT_EQUAL, f.as(ElementType.INT32, x), f.as(ElementType.INT32, x));
    MicroValue above =
        call.integer("detect_positive", 1) == 0
            ? none
            : f.apply(EQUAL, x, Double.POSITIVE_INFINITY);
    MicroValue below =
        call.integer("detect_negative", 1) == 0
            ? none
            : f.apply(EQUAL, x, Double.NEGATIVE_INFINITY);
    return f.apply(OR, above, below);
  }

  private static MicroValue limitedLine(Formula f, MicroValue x, double slope, double offset) {
    MicroValue line = f.plus(f.times(x, slope), offset);
    return f.apply(MINIMUM, f.apply(MAXIMUM, line, 0.0), 1.0);
  }

  private static MicroValue hardSigmoid(Formula f, OperatorCall call, MicroValue x) {
    return limitedLine(f, x, call.real("alpha", 0.2), call.real("beta", 0.5));
  }

  private static MicroValue celu(Formula f, OperatorCall call, MicroValue x) {
    double alpha = call.real("alpha", 1);
    MicroValue negative = f.times(f.apply(UnaryOperator.EXPM1, f.over(x, alpha)), alpha);
    return f.plus(f.apply(MAXIMUM, x, 0.0), f.apply(MINIMUM, negative, 0.0));
  }

  private static MicroValue elu(Formula f, MicroValue x, double alpha) {
    MicroValue negative = f.times(f.apply(UnaryOperator.EXPM1, x), alpha);
    return f.graph().choose(f.apply(LESS, x, 0.0), negative, x);
  }

  private static MicroValue selu(Formula f, OperatorCall call, MicroValue x) {
    MicroValue elu = elu(f, x, call.real("alpha", 1.6732632f));
    return f.times(elu, call.real("gamma", 1.0507010f));
  }

  /** Returns x Φ(x), or its approximation by tanh. */
  static MicroValue gelu(Formula f, String approximate, MicroValue x) {
    if (approximate.equals("none")) {
      MicroValue erf = f.apply(UnaryOperator.ERF, f.times(x, Math.sqrt(0.5)));
      return f.times(f.times(x, 0.5), f.plus(erf, 1.0));
    }
    MicroValue cube = f.times(f.square(x), x);
    MicroValue inner = f.times(f.plus(x, f.times(cube, 0.044715)), Math.sqrt(2 / Math.PI));
    return f.times(f.times(x, 0.5), f.plus(tanh(f, inner), 1.0));
  }

  private static MicroValue leakyRelu(Formula f, OperatorCall call, MicroValue x) {
    MicroValue negative = f.times(x, call.real("alpha", 0.01));
    return f.graph().choose(f.apply(LESS, x, 0.0), negative, x);
  }

  private static MicroValue shrink(Formula f, OperatorCall call, MicroValue x) {
    double lambda = call.real("lambd", 0.5);
    double bias = call.real("bias", 0);
    MicroValue number = f.type(x).isFloating() ? x : f.as(ElementType.FLOAT64, x);
    MicroValue small =
        f.graph().choose(f.apply(LESS, number, -lambda), f.plus(number, bias), f.number(number, 0));
    MicroValue shrunk =
        f.graph().choose(f.apply(GREATER, number, lambda), f.plus(number, -bias), small);
    return f.as(f.type(x), shrunk);
  }

  /** Returns log(1 + exp(x)), which does not overflow. */
  static MicroValue softplus(Formula f, MicroValue x) {
    MicroValue exponential = f.apply(UnaryOperator.EXP, negative(f, absolute(f, x)));
    return f.plus(f.apply(MAXIMUM, x, 0.0), f.apply(UnaryOperator.LOG1P, exponential));
  }

  private static MicroValue thresholdedRelu(Formula f, OperatorCall call, MicroValue x) {
    return f.graph().choose(f.apply(GREATER, x, call.real("alpha", 1)), x, f.number(x, 0));
  }
}
