package dev.sublet.operator.paddle.optimizer;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for optimizers, loss scaling, and sparse gradients.
 *
 * <p>Optimizers update in place: a {@code ParamOut} is its {@code Param}. All their outputs are
 * may-writes, because sparse gradients change only some rows and a step may be skipped.
 */
public final class OptimizerOperators {

  private OptimizerOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addOptimizers(catalog);
    addGradientScaling(catalog);
    addSparseGradients(catalog);
  }

  private static void addOptimizers(CatalogBuilder catalog) {
    catalog.addFamily(
        GradientShapes::likeParameters,
        family ->
            family.addAllMayWrite(
                "sgd",
                "momentum",
                "adam",
                "adamw",
                "adamax",
                "adagrad",
                "decayed_adagrad",
                "adadelta",
                "rmsprop",
                "lamb",
                "lars_momentum",
                "dpsgd",
                "proximal_gd",
                "proximal_adagrad",
                "sparse_momentum",
                "merged_momentum",
                "merged_adam",
                "merged_adamw",
                "distributed_fused_lamb"));
    catalog.addAllMayWrite("dgc");
    // Its results are parts of one buffer.
    catalog.add("distributed_fused_lamb_init").mayWriteAll().sharesBuffers();
    catalog.add("ftrl").shape(OptimizerShapes::ftrl).mayWriteAll();
    catalog.add("dgc_momentum").shape(OptimizerShapes::gradientCompression).mayWriteAll();
    catalog.add("average_accumulates").shape(OptimizerShapes::averageAccumulates).mayWriteAll();
  }

  private static void addGradientScaling(CatalogBuilder catalog) {
    // The kernel returns before it writes while the step is below rampup_begin_step.
    catalog.add("dgc_clip_by_norm").shape(ElementwiseShapes::likeX).mayWrite("Out");
    catalog.add("pow2_decay_with_linear_warmup").shape(GradientShapes::likeParameters);
    catalog.add("alloc_float_status").shape(OptimizerShapes::floatStatus).mayWriteAll();
    catalog.add("clear_float_status").shape(OptimizerShapes::floatStatus).mayWriteAll();
    catalog.add("get_float_status").shape(OptimizerShapes::floatStatus).mayWriteAll();
    catalog.add("update_loss_scaling").shape(OptimizerShapes::lossScaling).mayWriteAll();
    catalog
        .add("check_finite_and_unscale")
        .shape(OptimizerShapes::lossScaling)
        .mayWriteAll()
        .inPlace(GENERATED_ONLY);
  }

  private static void addSparseGradients(CatalogBuilder catalog) {
    catalog.add("get_tensor_from_selected_rows").shape(OptimizerShapes::sparseRows);
    catalog.add("merge_selected_rows").shape(ElementwiseShapes::likeX);
  }
}
