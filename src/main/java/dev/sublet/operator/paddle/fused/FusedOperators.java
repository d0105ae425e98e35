package dev.sublet.operator.paddle.fused;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.paddle.convolution.ConvolutionShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for the operators that Paddle's fusion passes write, and for quantization.
 *
 * <p>Fused training kernels have many outputs that depend on attributes: all are may-writes.
 */
public final class FusedOperators {

  private FusedOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addFusions(catalog);
    addSequenceFusions(catalog);
    addTrainingFusions(catalog);
    addQuantization(catalog);
  }

  private static void addFusions(CatalogBuilder catalog) {
    catalog.add("fused_embedding_eltwise_layernorm").shape(FusedShapes::embeddings);
    catalog.add("conv2d_fusion").shape(ConvolutionShapes::convolution);
    catalog.add("fused_conv2d_add_act").shape(ConvolutionShapes::convolution);
    catalog.add("fusion_transpose_flatten_concat").shape(FusedShapes::transposedAndFlattened);
    catalog.add("multihead_matmul").shape(ElementwiseShapes.like("Input", "Out"));
    catalog.add("skip_layernorm").shape(ElementwiseShapes::likeX);
    catalog.add("fused_softmax_mask").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("fused_softmax_mask_upper_triangle").shape(ElementwiseShapes::likeX).withGradient();
    catalog
        .add("fused_elemwise_activation")
        .shape(FusedShapes::elementwise)
        .mayWrite("IntermediateOut")
        .inPlace("X", "Out", DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD", "IntermediateOut@GRAD");
    catalog
        .add("fused_elemwise_add_activation")
        .shape(FusedShapes::elementwise)
        .mayWrite("IntermediateOut")
        .inPlace("X", "Out", DEFINITION)
        .inPlace("Y", "Out", DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD", "Y@GRAD")
        .keepsIfEmpty("X@GRAD", "Y@GRAD", "IntermediateOut@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("fusion_repeated_fc_relu")
        .shape(FusedShapes::repeatedConnected)
        .mayWrite("ReluOut");
    catalog
        .add("fusion_squared_mat_sub")
        .shape(FusedShapes::squaredDifference)
        .mayWrite("SquaredX", "SquaredY", "SquaredXY")
        .inPlace("X", "SquaredX", DEFINITION)
        .inPlace("Y", "SquaredY", DEFINITION);
    catalog
        .add("fused_fc_elementwise_layernorm")
        .shape(FusedShapes::connectedNormalized)
        .mayWrite("Mean", "Variance");
  }

  private static void addSequenceFusions(CatalogBuilder catalog) {
    catalog.add("fused_embedding_seq_pool").shape(FusedShapes::embeddingPool).withGradient();
    catalog.add("fused_seqpool_cvm").shape(FusedShapes::poolClickThrough).withGradient();
    catalog.add("fusion_seqpool_concat").shape(FusedShapes::poolAndConcat);
    catalog.add("fusion_seqpool_cvm_concat").shape(FusedShapes::poolAndConcat);
    catalog.add("multi_gru").shape(FusedShapes::multiGru);
    catalog
        .add("fused_embedding_fc_lstm")
        .shape(FusedShapes::embeddingLstm)
        .mayWrite(
            "XX", "BatchedInput", "BatchedHidden", "BatchedCell", "ReorderedH0", "ReorderedC0");
    catalog
        .add("fusion_gru")
        .shape(FusedShapes::gru)
        .mayWrite("ReorderedH0", "XX", "BatchedInput", "BatchedOut");
    catalog
        .add("fusion_lstm")
        .shape(FusedShapes::lstm)
        .mayWrite(
            "XX",
            "BatchedInput",
            "BatchedHidden",
            "BatchedCell",
            "ReorderedH0",
            "ReorderedC0",
            "CheckedCell");
    catalog
        .add("fusion_seqconv_eltadd_relu")
        .shape(FusedShapes::sequenceConvolution)
        .mayWrite("ColMat");
    catalog
        .add("fusion_seqexpand_concat_fc")
        .shape(FusedShapes::expandAndConnect)
        .mayWrite("FCOut");
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
    catalog.add("fused_multi_transformer").shape(FusedShapes::transformer).mayWriteAll();
  }

  private static void addQuantization(CatalogBuilder catalog) {
    catalog.add("quantize").shape(ElementwiseShapes.like("Input", "Output"));
    catalog.add("dequantize").shape(ElementwiseShapes.like("Input", "Output"));
    catalog.add("requantize").shape(ElementwiseShapes.like("Input", "Output"));
    catalog.add("dequantize_abs_max").shape(ElementwiseShapes::likeX);
    catalog.add("dequantize_log").shape(ElementwiseShapes::likeX);
    catalog.add("fake_channel_wise_dequantize_max_abs").shape(ElementwiseShapes::likeX);
    catalog.add("fake_channel_wise_quantize_abs_max").shape(QuantizationShapes::perChannel);
    catalog
        .add("fake_channel_wise_quantize_dequantize_abs_max")
        .shape(QuantizationShapes::perChannel);
    catalog.add("fake_dequantize_max_abs").shape(ElementwiseShapes::likeX);
    catalog.add("fake_quantize_abs_max").shape(QuantizationShapes::perTensor);
    catalog.add("fake_quantize_dequantize_abs_max").shape(QuantizationShapes::perTensor);
    catalog.add("stright_throuth_estimator_grad").shape(GradientShapes::likeForward);
    catalog
        .add("quantize_linear")
        .shape(QuantizationShapes::linear)
        .mayWrite("OutState", "OutAccum", "OutScale");
    catalog
        .add("dequantize_linear")
        .shape(QuantizationShapes::linear)
        .mayWrite("OutState", "OutAccum", "OutScale");
    catalog
        .add("fake_quantize_dequantize_moving_average_abs_max")
        .shape(QuantizationShapes::perTensor)
        .mayWrite("OutState", "OutAccum", "OutScale");
    catalog
        .add("fake_quantize_moving_average_abs_max")
        .shape(QuantizationShapes::perTensor)
        .mayWrite("OutState", "OutAccum", "OutScale");
    catalog
        .add("fake_quantize_range_abs_max")
        .shape(QuantizationShapes::overWindow)
        .mayWrite("OutScales", "OutScale");
    catalog
        .add("moving_average_abs_max_scale")
        .shape(QuantizationShapes::perTensor)
        .mayWrite("Out", "OutState", "OutAccum", "OutScale");
  }
}
