package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;

/**
 * Optimizers and what surrounds them: loss scaling, sparse gradients.
 *
 * <p>Optimizers update in place: a {@code ParamOut} is its {@code Param}. All their outputs are
 * may-writes, because sparse gradients touch some rows only and a step may be skipped.
 */
final class OptimizerOperators {

  private OptimizerOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addOptimizers(catalog);
    addGradientScaling(catalog);
    addSparseGradients(catalog);
  }

  private static void addOptimizers(CatalogBuilder catalog) {
    catalog.addAllMayWrite(
        "sgd",
        "momentum",
        "adam",
        "adamw",
        "adamax",
        "adagrad",
        "decayed_adagrad",
        "adadelta",
        "rmsprop",
        "ftrl",
        "lamb",
        "lars_momentum",
        "dpsgd",
        "proximal_gd",
        "proximal_adagrad",
        "sparse_momentum",
        "merged_momentum",
        "merged_adam",
        "merged_adamw",
        "dgc",
        "dgc_momentum",
        "distributed_fused_lamb",
        "distributed_fused_lamb_init",
        "average_accumulates");
  }

  private static void addGradientScaling(CatalogBuilder catalog) {
    catalog.addAll("dgc_clip_by_norm", "pow2_decay_with_linear_warmup");
    catalog.addAllMayWrite(
        "alloc_float_status", "clear_float_status", "get_float_status", "update_loss_scaling");
    catalog.add("check_finite_and_unscale").mayWriteAll().inPlace(GENERATED_ONLY);
  }

  private static void addSparseGradients(CatalogBuilder catalog) {
    catalog.addAll("get_tensor_from_selected_rows", "merge_selected_rows");
  }
}
