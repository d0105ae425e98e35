package dev.sublet.operator;

/**
 * What Paddle's fusion passes make, and quantization.
 *
 * <p>Fused training kernels have many outputs that depend on attributes: all are may-writes.
 */
final class FusedOperators {

  private FusedOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addFusions(catalog);
    addTrainingFusions(catalog);
    addQuantization(catalog);
  }

  private static void addFusions(CatalogBuilder catalog) {
    catalog.addAll(
        "fusion_seqpool_concat",
        "fusion_seqpool_cvm_concat",
        "fused_embedding_eltwise_layernorm",
        "multi_gru",
        "conv2d_fusion",
        "multihead_matmul",
        "skip_layernorm");
    catalog.addAllWithGradients(
        "fused_embedding_seq_pool",
        "fused_seqpool_cvm",
        "fused_softmax_mask",
        "fused_softmax_mask_upper_triangle");
    catalog.add("fused_elemwise_activation").mayWrite("IntermediateOut").withGradient();
    catalog
        .add("fused_elemwise_add_activation")
        .mayWrite("IntermediateOut")
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
    catalog
        .add("fused_embedding_fc_lstm")
        .mayWrite(
            "XX", "BatchedInput", "BatchedHidden", "BatchedCell", "ReorderedH0", "ReorderedC0");
    catalog.add("fusion_gru").mayWrite("ReorderedH0", "XX", "BatchedInput", "BatchedOut");
    catalog
        .add("fusion_lstm")
        .mayWrite(
            "XX",
            "BatchedInput",
            "BatchedHidden",
            "BatchedCell",
            "ReorderedH0",
            "ReorderedC0",
            "CheckedCell");
    catalog.add("fusion_repeated_fc_relu").mayWrite("ReluOut");
    catalog.add("fusion_seqconv_eltadd_relu").mayWrite("ColMat");
    catalog.add("fusion_seqexpand_concat_fc").mayWrite("FCOut");
    catalog.add("fusion_squared_mat_sub").mayWrite("SquaredX", "SquaredY", "SquaredXY");
    catalog.add("fused_fc_elementwise_layernorm").mayWrite("Mean", "Variance");
  }

  private static void addTrainingFusions(CatalogBuilder catalog) {
    catalog.add("fused_attention").mayWriteAll().withGradient().mayWriteAll();
    catalog
        .add("fused_bias_dropout_residual_layer_norm")
        .mayWriteAll()
        .withGradient()
        .mayWriteAll();
    catalog.add("fused_bn_activation").mayWriteAll().withGradient().mayWriteAll();
    catalog.add("fused_bn_add_activation").mayWriteAll().withGradient().mayWriteAll();
    catalog.add("fused_feedforward").mayWriteAll().withGradient().mayWriteAll();
    catalog.add("fused_gate_attention").mayWriteAll().withGradient().mayWriteAll();
    catalog.add("fused_gemm_epilogue").mayWriteAll().withGradient().mayWriteAll();
    catalog.add("resnet_unit").mayWriteAll().withGradient().mayWriteAll();
    catalog.add("fused_multi_transformer").mayWriteAll();
  }

  private static void addQuantization(CatalogBuilder catalog) {
    catalog.addAll(
        "quantize",
        "dequantize",
        "requantize",
        "dequantize_abs_max",
        "dequantize_log",
        "fake_channel_wise_dequantize_max_abs",
        "fake_channel_wise_quantize_abs_max",
        "fake_channel_wise_quantize_dequantize_abs_max",
        "fake_dequantize_max_abs",
        "fake_quantize_abs_max",
        "fake_quantize_dequantize_abs_max",
        "stright_throuth_estimator_grad");
    catalog.add("quantize_linear").mayWrite("OutState", "OutAccum", "OutScale");
    catalog.add("dequantize_linear").mayWrite("OutState", "OutAccum", "OutScale");
    catalog
        .add("fake_quantize_dequantize_moving_average_abs_max")
        .mayWrite("OutState", "OutAccum", "OutScale");
    catalog
        .add("fake_quantize_moving_average_abs_max")
        .mayWrite("OutState", "OutAccum", "OutScale");
    catalog.add("fake_quantize_range_abs_max").mayWrite("OutScales", "OutScale");
    catalog.add("moving_average_abs_max_scale").mayWrite("Out", "OutState", "OutAccum", "OutScale");
  }
}
