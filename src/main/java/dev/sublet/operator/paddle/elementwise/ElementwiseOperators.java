package dev.sublet.operator.paddle.elementwise;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;
import static dev.sublet.operator.spec.InPlaceVersions.ELEMENTWISE_GENERATED;
import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_5;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.reduction.ReductionShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceCondition;
import dev.sublet.operator.spec.OperatorEntry;

/** Catalog entries for functions of two values, comparisons, logic, casts, and scaling. */
public final class ElementwiseOperators {

  private ElementwiseOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addArithmetic);
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addComparisons);
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addLogic);
    ScalingOperators.addTo(catalog);
  }

  private static void addArithmetic(CatalogBuilder catalog) {
    catalog
        .add("sum")
        .replacesLod("Out")
        .shape(ElementShapes::sum)
        .inPlace(SINCE_1_5)
        .addsToArrays("Out");
    catalog.addAll("elementwise_mul_triple_grad", "grad_add", "minus", "nextafter");
    catalog
        .add("elementwise_floordiv")
        .shape(ElementwiseShapes.broadcast(ElementShapes::floorQuotient));
    for (String type : new String[] {"elementwise_fmax", "elementwise_fmin"}) {
      catalog.add(type).withGradient().keepsIfEmpty("X@GRAD", "Y@GRAD");
    }
    catalog.addAllWithGradients("elementwise_heaviside", "atan2");
    catalog.add("add_position_encoding").shape(ElementwiseShapes::likeX).withGradient();
    addBinary(catalog, "elementwise_pow", ElementShapes.exact("pow", Math::pow), DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    addBinary(catalog, "elementwise_min", SymbolicExtent::min, DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    addBinary(catalog, "elementwise_max", SymbolicExtent::max, DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    addSum(catalog, "elementwise_add", SymbolicExtent::plus);
    catalog
        .add("elementwise_add_triple_grad")
        .inPlace("D_DDOut", "D_DDX", "2.3,2.4,2.6,HEAD")
        .when(InPlaceCondition.inOnePiece("DDX", "DDY"))
        .keepsIfEmpty("D_DDX", "D_DDY")
        .needsOnlyShapeOf("DDX", "DDY");
    addBinary(catalog, "elementwise_div", ElementShapes::quotient, DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .keepsIfEmpty("Y@GRAD");
    catalog
        .add("elementwise_mod")
        .shape(ElementwiseShapes.broadcast(ElementShapes.exact("mod", ElementShapes::remainder)))
        .inPlace(ELEMENTWISE_GENERATED);
    addBinary(catalog, "elementwise_mul", SymbolicExtent::times, DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    addSum(catalog, "elementwise_sub", SymbolicExtent::minus);
    catalog
        .add("copysign")
        .inPlace("x", "out", GENERATED_ONLY)
        .withGradient()
        .inPlace(GENERATED_ONLY);
    catalog.add("gammaincc").inPlace("x", "out", GENERATED_ONLY);
    catalog.add("lerp").shape(ElementShapes::lerp).inPlace("2.3,2.4,yaml").withGradient();
  }

  /** Starts an entry of {@code Out = f(X, Y)}, where Y is broadcast and Out gets the LoD of X. */
  private static OperatorEntry addBinary(
      CatalogBuilder catalog, String type, ElementwiseShapes.Function function, String versions) {
    return catalog
        .add(type)
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(function))
        .inPlace(versions)
        .inPlace("Y", "Out", DEFINITION);
  }

  /** Adds a sum or a difference: its gradients need the shapes of X and Y only. */
  private static void addSum(
      CatalogBuilder catalog, String type, ElementwiseShapes.Function function) {
    addBinary(catalog, type, function, SINCE_1_5)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .inPlace(SINCE_1_5)
        .when(InPlaceCondition.inOnePiece("X", "Y"))
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .needsOnlyShapeOf("X", "Y")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .needsOnlyShapeOf("Y", "DOut");
  }

  private static void addComparisons(CatalogBuilder catalog) {
    catalog.addAll("isclose");
    catalog.add("equal_all").shape(ReductionShapes::scalar);
    catalog.add("allclose").shape(ReductionShapes::scalar);
    addComparison(catalog, "greater_equal", (x, y) -> x >= y);
    addComparison(catalog, "greater_than", (x, y) -> x > y);
    addComparison(catalog, "less_equal", (x, y) -> x <= y);
    addComparison(catalog, "less_than", (x, y) -> x < y);
    addComparison(catalog, "not_equal", (x, y) -> x != y);
    addComparison(catalog, "equal", (x, y) -> x == y);
    catalog.add("is_empty").shape(ReductionShapes::scalar).clearsLod().onHost("Out");
  }

  private static void addComparison(CatalogBuilder catalog, String type, ElementShapes.Test test) {
    ShapeRule rule = ElementwiseShapes.comparison(ElementShapes.test(type, test));
    catalog.add(type).shape(ElementShapes.ofWholeNumbers(rule, "X", "Out"));
  }

  private static void addLogic(CatalogBuilder catalog) {
    catalog.add("bitwise_and").inPlace(ELEMENTWISE_GENERATED);
    catalog.add("bitwise_left_shift").inPlace("x", "out", GENERATED_ONLY);
    catalog.add("bitwise_not").shape(ElementwiseShapes::likeX).inPlace(ELEMENTWISE_GENERATED);
    catalog.add("bitwise_or").inPlace(ELEMENTWISE_GENERATED);
    catalog.add("bitwise_right_shift").inPlace("x", "out", GENERATED_ONLY);
    catalog.add("bitwise_xor").inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("logical_and")
        .shape(ElementShapes.ofWholeNumbers(ElementwiseOperators::conjunction, "X", "Out"))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("logical_not")
        .shape(
            ElementShapes.ofWholeNumbers(ElementShapes.map("not", x -> x == 0 ? 1 : 0), "X", "Out"))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("logical_or")
        .shape(logical("or", (x, y) -> x != 0 || y != 0))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("logical_xor")
        .shape(ElementwiseShapes.aligned(null))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("where")
        .shape(ElementwiseShapes::likeX)
        .inPlace(GENERATED_ONLY)
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
  }

  private static void conjunction(ShapeCall call) {
    AbstractShape x = ElementwiseShapes.condition(call, "X");
    AbstractShape y = ElementwiseShapes.condition(call, "Y");
    ElementwiseShapes.Function and = ElementShapes.test("and", (a, b) -> a != 0 && b != 0);
    call.out("Out", ElementwiseShapes.broadcast(call, x, y, /* axis= */ -1, and));
  }

  private static ShapeRule logical(String name, ElementShapes.Test test) {
    ShapeRule rule = ElementwiseShapes.aligned(ElementShapes.test(name, test));
    return ElementShapes.ofWholeNumbers(rule, "X", "Out");
  }
}
