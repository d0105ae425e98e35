package dev.sublet.operator.paddle.elementwise;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;
import static dev.sublet.operator.spec.InPlaceVersions.ELEMENTWISE_GENERATED;
import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_5;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.reduction.ReductionShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceCondition;

/** Functions of two values, comparisons, and logic. */
public final class ElementwiseOperators {

  private ElementwiseOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addArithmetic);
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addComparisons);
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addLogic);
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
        .shape(ElementwiseShapes.broadcast(SymbolicExtent::floorDividedBy));
    for (String type : new String[] {"elementwise_fmax", "elementwise_fmin"}) {
      catalog.add(type).withGradient().keepsIfEmpty("X@GRAD", "Y@GRAD");
    }
    catalog.addAllWithGradients("elementwise_heaviside", "atan2");
    catalog.add("add_position_encoding").shape(ElementwiseShapes::likeX).withGradient();
    catalog
        .add("elementwise_pow")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(ElementShapes.exact("pow", Math::pow)))
        .inPlace(DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    catalog
        .add("elementwise_min")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(SymbolicExtent::min))
        .inPlace(DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    catalog
        .add("elementwise_max")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(SymbolicExtent::max))
        .inPlace(DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .keepsIfEmpty("X@GRAD", "Y@GRAD");
    catalog
        .add("elementwise_add")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(SymbolicExtent::plus))
        .inPlace(SINCE_1_5)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .inPlace(SINCE_1_5)
        .when(InPlaceCondition.inOnePiece("X", "Y"))
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .needsOnlyShapeOf("X", "Y")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .needsOnlyShapeOf("Y", "DOut");
    catalog
        .add("elementwise_add_triple_grad")
        .inPlace("D_DDOut", "D_DDX", "2.3,2.4,2.6,HEAD")
        .when(InPlaceCondition.inOnePiece("DDX", "DDY"))
        .needsOnlyShapeOf("DDX", "DDY");
    catalog
        .add("elementwise_div")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(ElementShapes::quotient))
        .inPlace(DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8);
    catalog
        .add("elementwise_mod")
        .shape(
            ElementwiseShapes.broadcast(
                ElementShapes.exact("mod", (x, y) -> x - y * Math.floor(x / y))))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("elementwise_mul")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(SymbolicExtent::times))
        .inPlace(DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8);
    catalog
        .add("elementwise_sub")
        .passesLodOf("X")
        .replacesLod("Out")
        .shape(ElementwiseShapes.broadcast(SymbolicExtent::minus))
        .inPlace(SINCE_1_5)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .inPlace(SINCE_1_5)
        .when(InPlaceCondition.inOnePiece("X", "Y"))
        .keepsIfEmpty("X@GRAD", "Y@GRAD")
        .needsOnlyShapeOf("X", "Y")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .needsOnlyShapeOf("Y", "DOut");
    catalog
        .add("copysign")
        .inPlace("x", "out", GENERATED_ONLY)
        .withGradient()
        .inPlace(GENERATED_ONLY);
    catalog.add("gammaincc").inPlace("x", "out", GENERATED_ONLY);
    catalog.add("lerp").inPlace("2.3,2.4,yaml").withGradient();
  }

  private static void addComparisons(CatalogBuilder catalog) {
    catalog.addAll("isclose");
    catalog.add("equal_all").shape(ReductionShapes::scalar);
    catalog.add("allclose").shape(ReductionShapes::scalar);
    catalog
        .add("greater_equal")
        .shape(ElementwiseShapes.comparison(ElementShapes.test("greater_equal", (x, y) -> x >= y)));
    catalog
        .add("greater_than")
        .shape(ElementwiseShapes.comparison(ElementShapes.test("greater_than", (x, y) -> x > y)));
    catalog
        .add("less_equal")
        .shape(ElementwiseShapes.comparison(ElementShapes.test("less_equal", (x, y) -> x <= y)));
    catalog
        .add("less_than")
        .shape(ElementwiseShapes.comparison(ElementShapes.test("less_than", (x, y) -> x < y)));
    catalog
        .add("not_equal")
        .shape(ElementwiseShapes.comparison(ElementShapes.test("not_equal", (x, y) -> x != y)));
    catalog
        .add("equal")
        .shape(ElementwiseShapes.comparison(ElementShapes.test("equal", (x, y) -> x == y)));
    catalog.add("is_empty").shape(ReductionShapes::scalar).clearsLod().onHost("Out");
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
        .shape(ElementwiseShapes.broadcast(ElementShapes.test("and", (x, y) -> x != 0 && y != 0)))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("logical_not")
        .shape(ElementShapes.map("not", x -> x == 0 ? 1 : 0))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("logical_or")
        .shape(ElementwiseShapes.broadcast(ElementShapes.test("or", (x, y) -> x != 0 || y != 0)))
        .inPlace(ELEMENTWISE_GENERATED);
    catalog.add("logical_xor").inPlace(ELEMENTWISE_GENERATED);
    catalog
        .add("where")
        .shape(ElementwiseShapes::likeX)
        .inPlace(GENERATED_ONLY)
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
  }
}
