package dev.sublet.operator.onnx;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;

import dev.sublet.operator.spec.CatalogBuilder;

/** ONNX's layers: products, convolutions, normalizations, recurrent layers, quantized forms. */
final class OnnxLayerOperators {

  private OnnxLayerOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addProducts(catalog);
    addWindows(catalog);
    addImages(catalog);
    addNormalizations(catalog);
    addSequenceLayers(catalog);
    addQuantization(catalog);
  }

  private static void addProducts(CatalogBuilder catalog) {
    catalog.addOnnx("MatMul").shape(OnnxLayerShapes.product("1"));
    catalog.addOnnx("MatMulInteger").shape(OnnxLayerShapes.product("1"));
    catalog.addOnnx("QLinearMatMul").shape(OnnxLayerShapes.product("3"));
    catalog.addOnnx("Gemm").shape(OnnxLayerShapes.gemm("1"));
    catalog.addOnnx("Einsum").shape(OnnxLayerShapes::einsum);
    catalog.addOnnx("Det").shape(OnnxLayerShapes::determinant);
    catalog.addOnnx("DFT").shape(OnnxLayerShapes::transform);
    catalog.addOnnx("STFT").shape(OnnxLayerShapes::shortTransform);
  }

  private static void addWindows(CatalogBuilder catalog) {
    catalog.addOnnx("Conv").shape(OnnxWindowShapes.convolution("1"));
    catalog.addOnnx("ConvInteger").shape(OnnxWindowShapes.convolution("1"));
    catalog.addOnnx("QLinearConv").shape(OnnxWindowShapes.convolution("3"));
    catalog.addOnnx("DeformConv").shape(OnnxWindowShapes.convolution("1"));
    catalog.addOnnx("ConvTranspose").shape(OnnxWindowShapes::transposed);
    catalog.addOnnx("CausalConvWithState").shape(OnnxWindowShapes::causal);
    catalog.addAllOnnx(OnnxWindowShapes::pool, "AveragePool", "LpPool", "MaxPool");
    catalog.addAllOnnx(
        OnnxWindowShapes::global, "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool");
    catalog.addOnnx("MaxUnpool").shape(OnnxWindowShapes::unpool);
    catalog.addOnnx("MaxRoiPool").shape(OnnxWindowShapes::poolRegions);
    catalog.addOnnx("RoiAlign").shape(OnnxWindowShapes::alignRegions);
    catalog.addOnnx("Col2Im").shape(OnnxWindowShapes::columnsToImages);
  }

  private static void addImages(CatalogBuilder catalog) {
    catalog.addOnnx("GridSample").shape(OnnxWindowShapes::sample);
    catalog.addOnnx("AffineGrid").shape(OnnxWindowShapes::affineGrid);
    catalog.addOnnx("Resize").shape(OnnxWindowShapes::resize);
    catalog.addOnnx("Upsample").shape(OnnxWindowShapes::upsample);
  }

  private static void addNormalizations(CatalogBuilder catalog) {
    // Inference computes each element separately; training reads all elements of a channel first.
    catalog
        .addOnnx("BatchNormalization")
        .shape(OnnxLayerShapes::batchNormalization)
        .inPlace("0", "0", DEFINITION);
    // Each group's statistics are computed before its first element is written.
    for (String type :
        new String[] {
          "GroupNormalization", "InstanceNormalization", "MeanVarianceNormalization",
        }) {
      catalog.addOnnx(type).shape(OnnxElementShapes::firstLike).inPlace("0", "0", DEFINITION);
    }
    for (String type :
        new String[] {"LayerNormalization", "RMSNormalization", "SimplifiedLayerNormalization"}) {
      catalog
          .addOnnx(type)
          .shape(OnnxLayerShapes::layerNormalization)
          .inPlace("0", "0", DEFINITION);
    }
    // It also reads channels other than the one that it writes.
    catalog.addAllOnnx(OnnxElementShapes::firstLike, "LRN");
    catalog.addAllOnnx(
        OnnxLayerShapes::loss, "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss");
  }

  private static void addSequenceLayers(CatalogBuilder catalog) {
    catalog.addAllOnnx(OnnxLayerShapes::recurrent, "GRU", "LSTM", "RNN");
    catalog.addOnnx("Attention").shape(OnnxAttentionShapes::standard);
    catalog.addOnnx("LinearAttention").shape(OnnxAttentionShapes::linear);
    catalog.addOnnx("RotaryEmbedding").shape(OnnxElementShapes::firstLike);
    catalog.addOnnx("ai.onnx.preview.FlexAttention").shape(OnnxAttentionShapes::standard);
  }

  /**
   * Adds quantization and its inverse. Quantization makes elements narrower and dequantization
   * makes them wider, so there is no in-place pair: the types differ.
   */
  private static void addQuantization(CatalogBuilder catalog) {
    catalog.addAllOnnx(OnnxElementShapes::firstLike, "DequantizeLinear", "QuantizeLinear");
    catalog.addOnnx("DynamicQuantizeLinear").shape(OnnxCreationShapes::dynamicQuantization);
  }
}
