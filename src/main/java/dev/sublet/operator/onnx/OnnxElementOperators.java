package dev.sublet.operator.onnx;

import static dev.sublet.operator.onnx.OnnxInputs.BOTH;
import static dev.sublet.operator.onnx.OnnxInputs.FIRST;
import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.elementwise.ElementShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * ONNX's elementwise operators: arithmetic, activations, comparisons, logic.
 *
 * <p>Most of them have in-place pairs. A pair applies to an operator of a program only if the input
 * has as many elements as the output, of the same type. So a broadcast input and a comparison of
 * floats have no pair.
 */
final class OnnxElementOperators {

  private OnnxElementOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addActivations(catalog);
    addFunctions(catalog);
    addArithmetic(catalog);
    addComparisons(catalog);
    addChoices(catalog);
  }

  private static void addActivations(CatalogBuilder catalog) {
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::like,
        FIRST,
        "Celu",
        "Elu",
        "Gelu",
        "HardSigmoid",
        "HardSwish",
        "LeakyRelu",
        "Mish",
        "Selu",
        "Shrink",
        "Sigmoid",
        "Softplus",
        "Softsign",
        "Swish",
        "Tanh",
        "ThresholdedRelu");
    catalog
        .addOnnx("Relu")
        .shape(OnnxElementShapes.map("relu", x -> Math.max(0, x)))
        .inPlace("0", "0", DEFINITION);
    // The slope broadcasts to the input.
    catalog.addOnnx("PRelu").shape(OnnxElementShapes::firstLike).inPlace("0", "0", DEFINITION);
    catalog.addAllOnnxInPlace(OnnxElementShapes::broadcast, BOTH, "SwiGLU");
    // These read a whole group, the elements along an axis, before they write it.
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::like, FIRST, "Hardmax", "LogSoftmax", "LpNormalization", "Softmax");
    // Operators of ONNX's first drafts.
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::like,
        FIRST,
        "Affine",
        "ImageScaler",
        "ParametricSoftplus",
        "Scale",
        "ScaledTanh");
  }

  private static void addFunctions(CatalogBuilder catalog) {
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::like,
        FIRST,
        "Acos",
        "Acosh",
        "Asin",
        "Asinh",
        "Atan",
        "Atanh",
        "BitwiseNot",
        "Cos",
        "Cosh",
        "Erf",
        "Exp",
        "Log",
        "Sin",
        "Sinh",
        "Tan");
    catalog.addOnnx("Neg").shape(OnnxElementShapes::negate).inPlace("0", "0", DEFINITION);
    addMap(catalog, "Abs", OnnxElementShapes.map("abs", Math::abs));
    addMap(catalog, "Ceil", OnnxElementShapes.map("ceil", Math::ceil));
    addMap(catalog, "Floor", OnnxElementShapes.map("floor", Math::floor));
    addMap(catalog, "Not", OnnxElementShapes.map("not", x -> x == 0 ? 1 : 0));
    addMap(catalog, "Reciprocal", OnnxElementShapes.map("reciprocal", x -> 1 / x));
    addMap(catalog, "Round", OnnxElementShapes.map("rint", Math::rint));
    addMap(catalog, "Sign", OnnxElementShapes.map("sign", Math::signum));
    addMap(
        catalog,
        "Sqrt",
        OnnxElementShapes.map("sqrt", x -> OnnxElementShapes.ifWhole(Math.sqrt(x))));
    catalog.addAllOnnx(OnnxElementShapes::like, "IsInf", "IsNaN");
  }

  private static void addMap(CatalogBuilder catalog, String type, ShapeRule rule) {
    catalog.addOnnx(type).shape(rule).inPlace("0", "0", DEFINITION);
  }

  private static void addArithmetic(CatalogBuilder catalog) {
    addBinary(catalog, "Add", OnnxElementShapes.broadcast(SymbolicExtent::plus));
    addBinary(catalog, "Sub", OnnxElementShapes.broadcast(SymbolicExtent::minus));
    addBinary(catalog, "Mul", OnnxElementShapes.broadcast(SymbolicExtent::times));
    addBinary(catalog, "Div", OnnxElementShapes::divide);
    addBinary(catalog, "Mod", OnnxElementShapes::remainder);
    addBinary(
        catalog,
        "Pow",
        OnnxElementShapes.broadcast(ElementShapes.exact("pow", OnnxElementOperators::power)));
    // These take any number of inputs. One of the first two may be overwritten, because the others
    // are read at the same position.
    addBinary(catalog, "Max", OnnxElementShapes.broadcast(SymbolicExtent::max));
    addBinary(catalog, "Min", OnnxElementShapes.broadcast(SymbolicExtent::min));
    addBinary(catalog, "Sum", OnnxElementShapes.broadcast(SymbolicExtent::plus));
    addBinary(catalog, "Mean", OnnxElementShapes::mean);
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::broadcast, BOTH, "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor");
  }

  private static double power(double x, double y) {
    return OnnxElementShapes.ifWhole(Math.pow(x, y));
  }

  private static void addBinary(CatalogBuilder catalog, String type, ShapeRule rule) {
    catalog.addOnnx(type).shape(rule).inPlace("0", "0", DEFINITION).inPlace("1", "0", DEFINITION);
  }

  private static ShapeRule test(String name, ElementShapes.Test test) {
    ShapeRule rule = OnnxElementShapes.broadcast(ElementShapes.test(name, test));
    return ElementShapes.ofWholeNumbers(rule, "0", "0");
  }

  private static void addComparisons(CatalogBuilder catalog) {
    addBinary(catalog, "Equal", test("equal", (x, y) -> x == y));
    addBinary(catalog, "Greater", test("greater_than", (x, y) -> x > y));
    addBinary(catalog, "GreaterOrEqual", test("greater_equal", (x, y) -> x >= y));
    addBinary(catalog, "Less", test("less_than", (x, y) -> x < y));
    addBinary(catalog, "LessOrEqual", test("less_equal", (x, y) -> x <= y));
    addBinary(catalog, "And", OnnxElementOperators::conjunction);
    addBinary(catalog, "Or", test("or", (x, y) -> x != 0 || y != 0));
    addBinary(catalog, "Xor", test("xor", (x, y) -> (x != 0) != (y != 0)));
  }

  private static void conjunction(ShapeCall call) {
    AbstractShape x = ElementwiseShapes.condition(call, "0");
    AbstractShape y = ElementwiseShapes.condition(call, "1");
    ElementwiseShapes.Function and = ElementShapes.test("and", (a, b) -> a != 0 && b != 0);
    call.out("0", ElementwiseShapes.broadcast(call, x, y, /* axis= */ -1, and));
  }

  private static void addChoices(CatalogBuilder catalog) {
    // A cast to the input's own type copies the input; a cast to another type gives no view.
    catalog.addOnnx("Cast").shape(OnnxElementShapes::cast).view("0", "0");
    catalog.addOnnx("CastLike").shape(OnnxElementShapes::cast).view("0", "0").needsOnlyShapeOf("1");
    catalog.addAllOnnx(OnnxElementShapes::like, "BitCast");
    catalog.addOnnx("Clip").shape(OnnxElementShapes::clip).inPlace("0", "0", DEFINITION);
    catalog
        .addOnnx("Where")
        .shape(OnnxElementShapes::where)
        .inPlace("1", "0", DEFINITION)
        .inPlace("2", "0", DEFINITION)
        .inPlace("0", "0", DEFINITION);
    catalog.addOnnx("Identity").shape(OnnxElementShapes::copy).view("0", "0");
    catalog
        .addOnnx("Dropout")
        .shape(OnnxElementShapes::like)
        .inPlace("0", "0", DEFINITION)
        .view(OnnxViewRules.dropout());
    catalog.addAllOnnxInPlace(OnnxElementShapes::like, FIRST, "CumProd", "CumSum", "Trilu");
  }
}
