package dev.sublet.operator.onnx;

import static dev.sublet.operator.onnx.OnnxInputs.BOTH;
import static dev.sublet.operator.onnx.OnnxInputs.FIRST;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceVersions;

/**
 * Operators of the domain com.microsoft. ONNX Runtime adds them, and fuses other operators into
 * them.
 */
final class OnnxRuntimeOperators {

  private static final String DOMAIN = "com.microsoft.";

  private OnnxRuntimeOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addElements(catalog);
    addProducts(catalog);
    addQuantized(catalog);
    addTransformers(catalog);
    addOthers(catalog);
  }

  private static String[] named(String... types) {
    String[] names = types.clone();
    for (int i = 0; i < names.length; i++) {
      names[i] = DOMAIN + names[i];
    }
    return names;
  }

  private static void addElements(CatalogBuilder catalog) {
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::firstLike,
        FIRST,
        named("BiasAdd", "FastGelu", "Gelu", "QuickGelu", "Trilu", "BiasSoftmax"));
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::broadcast, BOTH, named("BiasGelu", "ComplexMul", "ComplexMulConj"));
    catalog.addAllOnnxInPlace(OnnxElementShapes::like, FIRST, named("BiasDropout"));
    catalog.addAllOnnx(OnnxAttentionShapes::half, named("BiasSplitGelu"));
    catalog.addAllOnnx(OnnxElementShapes::like, named("MurmurHash3"));
  }

  private static void addProducts(CatalogBuilder catalog) {
    catalog.addAllOnnx(
        OnnxLayerShapes::fusedProduct,
        named("FusedMatMul", "FusedMatMulActivation", "TransposeMatMul"));
    catalog.addAllOnnx(OnnxLayerShapes.gemm("1"), named("FusedGemm", "GemmFloat8"));
    catalog.addAllOnnx(OnnxLayerShapes.product("1"), named("GemmFastGelu", "MatMulInteger16"));
    catalog.addAllOnnx(
        OnnxLayerShapes::packedProduct, named("MatMulBnb4", "MatMulFpQ4", "MatMulNBits"));
    catalog.addAllOnnx(OnnxWindowShapes.convolution("1"), named("FusedConv"));
    catalog.addAllOnnx(
        OnnxWindowShapes::convolutionChannelsLast, named("NhwcConv", "NhwcFusedConv"));
    catalog.addAllOnnx(OnnxElementShapes::like, named("Inverse"));
    catalog.addAllOnnx(OnnxRuntimeShapes::distances, named("CDist"));
  }

  private static void addQuantized(CatalogBuilder catalog) {
    // The second operand follows the scale and the zero point of the first.
    for (String type : named("QLinearAdd", "QLinearMul")) {
      catalog
          .addOnnx(type)
          .shape(OnnxRuntimeShapes.broadcast("0", "3"))
          .inPlace("0", "0", InPlaceVersions.DEFINITION)
          .inPlace("3", "0", InPlaceVersions.DEFINITION);
    }
    catalog.addAllOnnx(OnnxRuntimeShapes::chosen, named("QLinearWhere"));
    catalog.addAllOnnxInPlace(
        OnnxElementShapes::firstLike,
        FIRST,
        named("QLinearLeakyRelu", "QLinearSigmoid", "QLinearSoftmax"));
    catalog.addAllOnnx(OnnxWindowShapes::pool, named("QLinearAveragePool"));
    catalog.addAllOnnx(OnnxWindowShapes::global, named("QLinearGlobalAveragePool"));
    catalog.addAllOnnx(OnnxWindowShapes.convolution("3"), named("QLinearConv"));
    catalog.addAllOnnx(OnnxIndexShapes::concatQuantized, named("QLinearConcat"));
    catalog.addAllOnnx(OnnxRuntimeShapes::reduce, named("QLinearReduceMean"));
    catalog.addAllOnnx(OnnxLayerShapes.gemm("3"), named("QGemm"));
    catalog.addAllOnnx(
        OnnxLayerShapes.product("1"), named("DynamicQuantizeMatMul", "MatMulIntegerToFloat"));
    catalog.addAllOnnx(OnnxRuntimeShapes::recurrentQuantized, named("DynamicQuantizeLSTM"));
    catalog.addAllOnnx(OnnxElementShapes::firstLike, named("DequantizeLinear", "QuantizeLinear"));
    catalog.addAllOnnx(OnnxWindowShapes::poolChannelsLast, named("NhwcMaxPool"));
  }

  private static void addTransformers(CatalogBuilder catalog) {
    catalog.addAllOnnxInPlace(
        OnnxAttentionShapes::skipNormalization,
        BOTH,
        named("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"));
    catalog.addAllOnnxInPlace(OnnxElementShapes::firstLike, FIRST, named("GroupNorm"));
    catalog.addAllOnnx(OnnxElementShapes::like, named("SkipGroupNorm"));
    catalog.addAllOnnx(OnnxAttentionShapes::embed, named("EmbedLayerNormalization"));
    catalog.addAllOnnx(OnnxAttentionShapes::embed, named("QEmbedLayerNormalization"));
    catalog.addAllOnnx(OnnxAttentionShapes.packedWeights("4"), named("Attention"));
    catalog.addAllOnnx(OnnxAttentionShapes.packedWeights("8"), named("QAttention"));
    catalog.addAllOnnx(OnnxAttentionShapes::multiHead, named("MultiHeadAttention"));
    // A past cache with room for all steps stays where it is, and takes the new ones.
    catalog
        .addOnnx(DOMAIN + "GroupQueryAttention")
        .shape(OnnxAttentionShapes::grouped)
        .inPlace("3", "1", InPlaceVersions.DEFINITION)
        .inPlace("4", "2", InPlaceVersions.DEFINITION);
    catalog.addAllOnnx(
        OnnxElementShapes::firstLike,
        named("LongformerAttention", "MoE", "QMoE", "RotaryEmbedding"));
    catalog.addAllOnnxInPlace(
        ElementwiseShapes.like("1", "0"), ImmutableList.of("1"), named("NGramRepeatBlock"));
  }

  private static void addOthers(CatalogBuilder catalog) {
    catalog.addAllOnnx(OnnxRuntimeShapes::expandDims, named("ExpandDims"));
    catalog.addAllOnnx(OnnxRuntimeShapes::crop, named("CropAndResize"));
    catalog.addAllOnnx(OnnxRuntimeShapes::lookup, named("TorchEmbedding"));
    catalog.addAllOnnx(OnnxRuntimeShapes::realTransform, named("Rfft"));
    catalog.addAllOnnx(OnnxCreationShapes::range, named("Range"));
    catalog.addAllOnnx(OnnxReductionShapes::uniqueOfList, named("Unique"));
    catalog.addAllOnnx(OnnxReshapeShapes::pad, named("Pad"));
    catalog.addAllOnnx(OnnxIndexShapes::gatherNd, named("GatherND"));
    catalog.addAllOnnx(OnnxWindowShapes::sample, named("GridSample"));
    catalog.addAllOnnx(OnnxCreationShapes::scalar, named("IsAllFinite"));
    // These have no shape rule: the outputs depend on the result of a search, or have layouts of
    // the runtime's own.
    for (String type :
        ImmutableList.of(
            "BeamSearch",
            "ConvTransposeWithDynamicPads",
            "DecoderAttention",
            "DecoderMaskedMultiHeadAttention",
            "DecoderMaskedSelfAttention",
            "GatedRelativePositionBias",
            "GreedySearch",
            "Irfft",
            "MaxpoolWithMask",
            "PackedAttention",
            "PackedMultiHeadAttention",
            "RelativePositionBias",
            "RemovePadding",
            "RestorePadding",
            "SampleOp",
            "Sampling",
            "SparseAttention",
            "SparseToDenseMatMul",
            "Tokenizer",
            "UnfoldTensor",
            "WordConvEmbedding")) {
      catalog.addOnnx(DOMAIN + type);
    }
  }
}
