package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_5;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8;

/**
 * Functions of two values, comparisons, logic, reductions, scans and sorting.
 *
 * <p>Reductions pass LoD on: Paddle drops it only where the first axis goes away.
 */
final class ElementwiseOperators {

  private ElementwiseOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addArithmetic(catalog);
    addComparisons(catalog);
    addLogic(catalog);
    addReductions(catalog);
    addScansAndOrder(catalog);
  }

  private static void addArithmetic(CatalogBuilder catalog) {
    catalog.addAll(
        "elementwise_floordiv", "elementwise_mul_triple_grad", "grad_add", "minus", "nextafter");
    catalog.addAllWithGradients(
        "elementwise_fmax",
        "elementwise_fmin",
        "elementwise_heaviside",
        "elementwise_max",
        "elementwise_min",
        "elementwise_pow",
        "add_position_encoding",
        "atan2");
    catalog
        .add("elementwise_add")
        .inPlace(SINCE_1_5)
        .withGradient()
        .inPlace(SINCE_1_5)
        .needsOnlyShapeOf("X", "Y")
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .needsOnlyShapeOf("Y", "DOut");
    catalog
        .add("elementwise_add_triple_grad")
        .inPlace("D_DDOut", "D_DDX", "2.3,2.4,2.6,HEAD")
        .needsOnlyShapeOf("DDX", "DDY");
    catalog.add("elementwise_div").withGradient().withGradient().inPlace("DDX", "DDOut", SINCE_1_8);
    catalog.add("elementwise_mod").inPlace(GENERATED_ONLY);
    catalog.add("elementwise_mul").withGradient().withGradient().inPlace("DDX", "DDOut", SINCE_1_8);
    catalog
        .add("elementwise_sub")
        .inPlace(SINCE_1_5)
        .withGradient()
        .inPlace(SINCE_1_5)
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
    catalog.addAll(
        "allclose",
        "equal",
        "equal_all",
        "greater_equal",
        "greater_than",
        "isclose",
        "less_equal",
        "less_than",
        "not_equal");
    catalog.add("is_empty").clearsLod().onHost("Out");
  }

  private static void addLogic(CatalogBuilder catalog) {
    catalog.add("bitwise_and").inPlace(GENERATED_ONLY);
    catalog.add("bitwise_left_shift").inPlace("x", "out", GENERATED_ONLY);
    catalog.add("bitwise_not").inPlace(GENERATED_ONLY);
    catalog.add("bitwise_or").inPlace(GENERATED_ONLY);
    catalog.add("bitwise_right_shift").inPlace("x", "out", GENERATED_ONLY);
    catalog.add("bitwise_xor").inPlace(GENERATED_ONLY);
    catalog.add("logical_and").inPlace(GENERATED_ONLY);
    catalog.add("logical_not").inPlace(GENERATED_ONLY);
    catalog.add("logical_or").inPlace(GENERATED_ONLY);
    catalog.add("logical_xor").inPlace(GENERATED_ONLY);
    catalog.add("where").inPlace(GENERATED_ONLY).withGradient().needsOnlyShapeOf("X", "Y");
  }

  private static void addReductions(CatalogBuilder catalog) {
    catalog.addAll("reduce_all", "reduce_any");
    catalog.addAllWithGradients(
        "frobenius_norm",
        "logsumexp",
        "norm",
        "p_norm",
        "reduce_amax",
        "reduce_amin",
        "reduce_max",
        "reduce_min",
        "reduce_prod");
    catalog.add("l1_norm").inPlace(GENERATED_ONLY).withGradient();
    catalog.add("mean").clearsLod().withGradient().needsOnlyShapeOf("X");
    catalog.add("reduce_mean").withGradient().needsOnlyShapeOf("X");
    catalog.add("reduce_sum").withGradient().needsOnlyShapeOf("X");
    catalog.add("squared_l2_distance").withGradient().needsOnlyShapeOf("X", "Y");
    catalog.add("squared_l2_norm").clearsLod().withGradient();
    catalog.add("sum").inPlace(SINCE_1_5);
  }

  private static void addScansAndOrder(CatalogBuilder catalog) {
    catalog.addAll("bincount", "histogram", "searchsorted");
    catalog.addAllWithGradients(
        "cummax",
        "cummin",
        "kthvalue",
        "logcumsumexp",
        "mode",
        "multiplex",
        "nanmedian",
        "top_k",
        "top_k_v2");
    catalog.add("arg_max").clearsLod();
    catalog.add("arg_min").clearsLod();
    catalog.add("argsort").withGradient().needsOnlyShapeOf("X");
    catalog.add("cumprod").inPlace(GENERATED_ONLY).withGradient();
    catalog.add("cumsum").inPlace(GENERATED_ONLY);
  }
}
