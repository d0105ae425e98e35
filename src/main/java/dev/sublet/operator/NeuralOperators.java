package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8_GENERATED;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8_UNTIL_2_4;

/**
 * Layers: convolution, pooling, normalization, embedding, interpolation, recurrent cells.
 *
 * <p>Statistics and workspaces that only a training run fills are may-writes.
 */
final class NeuralOperators {

  private NeuralOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addConvolutions(catalog);
    addPooling(catalog);
    addNormalization(catalog);
    addLayers(catalog);
    addInterpolation(catalog);
    addRecurrentCells(catalog);
    addGraphs(catalog);
  }

  private static void addConvolutions(CatalogBuilder catalog) {
    catalog.addAllWithGradients(
        "conv3d_transpose",
        "correlation",
        "deformable_conv",
        "deformable_conv_v1",
        "depthwise_conv2d_transpose",
        "row_conv",
        "tree_conv");
    catalog.add("conv2d").withGradient().withGradient();
    catalog.add("conv2d_transpose").withGradient().withGradient();
    catalog.add("conv3d").withGradient().withGradient();
    catalog.add("depthwise_conv2d").withGradient().withGradient();
  }

  private static void addPooling(CatalogBuilder catalog) {
    catalog.addAll("pool2d_double_grad");
    catalog.addAllWithGradients("pool2d", "pool3d", "spp", "unpool", "unpool3d");
    catalog.add("max_pool2d_with_index").withGradient().needsOnlyShapeOf("X");
    catalog.add("max_pool3d_with_index").withGradient().needsOnlyShapeOf("X");
  }

  // In inference the statistics are not written, and MeanOut is usually Mean itself.
  private static void addNormalization(CatalogBuilder catalog) {
    catalog.addAllWithGradients("spectral_norm");
    catalog.add("affine_channel").inPlace(SINCE_1_8).withGradient().inPlace(SINCE_1_8);
    catalog
        .add("batch_norm")
        .mayWrite("SavedMean", "SavedVariance", "ReserveSpace", "MeanOut", "VarianceOut")
        .withGradient()
        .withGradient()
        .inPlace("DY", "DDY", "2.0,2.2,2.3,2.4,2.6,HEAD");
    catalog.add("data_norm").mayWrite("Means", "Scales").withGradient().mayWriteAll();
    catalog
        .add("group_norm")
        .inPlace("X", "Y", "1.5,1.8,2.0,2.2,2.3")
        .withGradient()
        .inPlace("Y@GRAD", "X@GRAD", "1.5,1.8,2.0,2.2,2.3,2.4")
        .inPlace("y@GRAD", "X@GRAD", GENERATED_ONLY);
    catalog
        .add("inplace_abn")
        .mayWrite("SavedMean", "SavedVariance", "ReserveSpace", "MeanOut", "VarianceOut")
        .inPlace("X", "Y", "2.3,2.4")
        .withGradient();
    catalog
        .add("instance_norm")
        .mayWrite("SavedMean", "SavedVariance")
        .withGradient()
        .withGradient()
        .inPlace("DY", "DDY", SINCE_1_8_UNTIL_2_4);
    catalog.add("layer_norm").mayWrite("Mean", "Variance").withGradient().needsOnlyShapeOf("Bias");
    catalog.add("lrn").mayWrite("MidOut").withGradient();
    catalog
        .add("sync_batch_norm")
        .mayWrite("MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "ReserveSpace")
        .withGradient();
  }

  private static void addLayers(CatalogBuilder catalog) {
    catalog.addAll("fc", "lookup_table_dequant");
    catalog.addAllWithGradients("log_softmax");
    catalog.add("batch_fc").withGradient().needsOnlyShapeOf("Bias");
    catalog.add("dropout").mayWrite("Mask").withGradient();
    catalog.add("lookup_table").withGradient().needsOnlyShapeOf("W");
    catalog.add("lookup_table_v2").withGradient().needsOnlyShapeOf("W");
    catalog
        .add("rank_attention")
        .mayWrite("InputHelp", "InsRank")
        .withGradient()
        .needsOnlyShapeOf("X", "RankOffset", "RankParam");
    catalog.add("shuffle_batch").mayWrite("SeedOut").withGradient();
    catalog
        .add("softmax")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("Out", "X@GRAD", "1.8 CUDA");
  }

  private static void addInterpolation(CatalogBuilder catalog) {
    catalog.addAllWithGradients("affine_grid", "bilateral_slice", "grid_sampler");
    catalog.add("bicubic_interp").withGradient().needsOnlyShapeOf("X");
    catalog.add("bicubic_interp_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("bilinear_interp").withGradient().needsOnlyShapeOf("X");
    catalog.add("bilinear_interp_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("linear_interp").withGradient().needsOnlyShapeOf("X");
    catalog.add("linear_interp_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("nearest_interp").withGradient().needsOnlyShapeOf("X");
    catalog.add("nearest_interp_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("trilinear_interp").withGradient().needsOnlyShapeOf("X");
    catalog.add("trilinear_interp_v2").withGradient().needsOnlyShapeOf("X");
  }

  private static void addRecurrentCells(CatalogBuilder catalog) {
    catalog.addAllWithGradients("lstm_unit");
    catalog.add("attention_lstm").mayWrite("AttentionedX", "AttentionFCOut", "LSTMX", "LSTMOUT");
    catalog.add("cudnn_lstm").mayWrite("Reserve", "StateOut").withGradient();
    catalog
        .add("gru")
        .mayWrite("BatchGate", "BatchResetHiddenPrev", "BatchHidden")
        .withGradient()
        .needsOnlyShapeOf("Input", "Bias");
    catalog.add("gru_unit").withGradient().needsOnlyShapeOf("Bias");
    catalog.add("lstm").mayWrite("BatchGate", "BatchCellPreAct").withGradient();
    catalog.add("lstmp").mayWrite("BatchGate", "BatchCellPreAct", "BatchHidden").withGradient();
    catalog.add("rnn").mayWrite("DropoutState", "Reserve").withGradient();
  }

  private static void addGraphs(CatalogBuilder catalog) {
    catalog.addAll("graph_reindex", "graph_sample_neighbors");
    catalog.add("graph_khop_sampler").mayWrite("Out_Eids");
    catalog.add("graph_send_recv").mayWrite("Dst_count").withGradient();
    catalog.add("segment_pool").mayWrite("SummedIds").withGradient();
  }
}
