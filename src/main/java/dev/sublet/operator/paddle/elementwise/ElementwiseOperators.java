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

/**
 * Functions of two values, comparisons, logic, reductions, scans and sorting.
 *
 * <p>Reductions pass LoD on: Paddle drops it only where the first axis goes away.
 */
public final class ElementwiseOperators {

  private ElementwiseOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addArithmetic);
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addComparisons);
    catalog.addFamily(ElementwiseShapes::broadcast, ElementwiseOperators::addLogic);
    addReductions(catalog);
    addScansAndOrder(catalog);
  }

  private static void addArithmetic(CatalogBuilder catalog) {
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

  private static void addReductions(CatalogBuilder catalog) {
    catalog.add("reduce_any").shape(ReductionShapes.fold(SymbolicExtent::max));
    catalog.add("reduce_all").shape(ReductionShapes.fold(SymbolicExtent::min));
    catalog.add("norm").shape(ReductionShapes::norm).withGradient();
    catalog.add("p_norm").shape(ReductionShapes::pNorm).withGradient();
    catalog.add("logsumexp").shape(ReductionShapes::reduce).withGradient();
    catalog.add("frobenius_norm").shape(ReductionShapes::reduce).withGradient();
    catalog.add("reduce_amin").shape(ReductionShapes::reduce).withGradient();
    catalog.add("reduce_amax").shape(ReductionShapes::reduce).withGradient();
    catalog.add("reduce_min").shape(ReductionShapes.fold(SymbolicExtent::min)).withGradient();
    catalog.add("reduce_max").shape(ReductionShapes.fold(SymbolicExtent::max)).withGradient();
    catalog.add("reduce_prod").shape(ReductionShapes.fold(SymbolicExtent::times)).withGradient();
    catalog.add("l1_norm").shape(ReductionShapes::scalar).inPlace(GENERATED_ONLY).withGradient();
    catalog
        .add("mean")
        .shape(ReductionShapes::scalar)
        .clearsLod()
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog.add("reduce_mean").shape(ReductionShapes::reduce).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("reduce_sum")
        .shape(ReductionShapes.fold(SymbolicExtent::plus))
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("squared_l2_distance")
        .shape(ReductionShapes::squaredDistance)
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
    catalog.add("squared_l2_norm").shape(ReductionShapes::scalar).clearsLod().withGradient();
    catalog
        .add("sum")
        .replacesLod("Out")
        .shape(ElementShapes::sum)
        .inPlace(SINCE_1_5)
        .addsToArrays("Out");
  }

  private static void addScansAndOrder(CatalogBuilder catalog) {
    catalog.add("searchsorted").shape(ElementwiseShapes.like("Values", "Out"));
    catalog.add("histogram").shape(ReductionShapes::histogram);
    catalog.add("bincount");
    catalog.addAllWithGradients("nanmedian");
    catalog.add("logcumsumexp").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("multiplex").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("top_k_v2").shape(ReductionShapes::topK).withGradient();
    catalog.add("top_k").shape(ReductionShapes::topK).withGradient();
    catalog.add("mode").shape(ReductionShapes::select).withGradient();
    catalog.add("kthvalue").shape(ReductionShapes::select).withGradient();
    catalog.add("cummin").shape(ReductionShapes::sort).withGradient();
    catalog.add("cummax").shape(ReductionShapes::sort).withGradient();
    catalog.add("arg_max").shape(ReductionShapes::search).clearsLod();
    catalog.add("arg_min").shape(ReductionShapes::search).clearsLod();
    catalog.add("argsort").shape(ReductionShapes::sort).withGradient().needsOnlyShapeOf("X");
    catalog.add("cumprod").shape(ReductionShapes::scan).inPlace(GENERATED_ONLY).withGradient();
    catalog
        .add("cumsum")
        .shape(ReductionShapes::scan)
        .inPlace(GENERATED_ONLY)
        .when(InPlaceCondition.unless("exclusive"));
  }
}
