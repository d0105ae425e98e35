package dev.sublet.operator.paddle.convolution;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;
import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8_UNTIL_2_4;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for convolution, pooling, normalization, and interpolation.
 *
 * <p>Statistics and workspaces that only a training run fills are may-writes.
 */
public final class ConvolutionOperators {

  private ConvolutionOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addConvolutions(catalog);
    addPooling(catalog);
    addBatchNormalization(catalog);
    addNormalization(catalog);
    addInterpolation(catalog);
  }

  /** X of two axes and without sequences is read as one of three axes, and nothing is written. */
  private static void addRowConvolution(CatalogBuilder catalog) {
    catalog
        .add("row_conv")
        .mayWriteAll()
        .shape(ElementwiseShapes::likeX)
        .withGradient()
        .mayWriteAll();
  }

  private static void addConvolutions(CatalogBuilder catalog) {
    catalog.add("conv3d_transpose").shape(ConvolutionShapes::transposed).withGradient();
    catalog.add("correlation").shape(ConvolutionShapes::correlation).withGradient();
    catalog.add("deformable_conv").shape(ConvolutionShapes::convolution).withGradient();
    catalog.add("deformable_conv_v1").shape(ConvolutionShapes::convolution).withGradient();
    catalog.add("depthwise_conv2d_transpose").shape(ConvolutionShapes::transposed).withGradient();
    addRowConvolution(catalog);
    catalog.add("tree_conv").shape(ConvolutionShapes::tree).withGradient();
    addConvolution(catalog, "conv2d", ConvolutionShapes::convolution);
    addConvolution(catalog, "conv2d_transpose", ConvolutionShapes::transposed);
    addConvolution(catalog, "conv3d", ConvolutionShapes::convolution);
    catalog
        .add("depthwise_conv2d")
        .shape(ConvolutionShapes::convolution)
        .withGradient()
        .withGradient()
        .shape(GradientShapes::likeSecond);
  }

  /**
   * Adds a convolution with two gradients. The second gradient writes {@code DFilter} and {@code
   * DInput} only if they are requested.
   */
  private static void addConvolution(CatalogBuilder catalog, String type, ShapeRule rule) {
    catalog
        .add(type)
        .shape(rule)
        .withGradient()
        .withGradient()
        .shape(GradientShapes::likeSecond)
        .mayWrite("DFilter", "DInput");
  }

  private static void addPooling(CatalogBuilder catalog) {
    catalog.add("pool2d_double_grad").shape(PoolingShapes::pool2d);
    catalog.add("pool2d").shape(PoolingShapes::pool2d).withGradient().replacesLod("X@GRAD");
    catalog.add("pool3d").shape(PoolingShapes::pool3d).withGradient().replacesLod("X@GRAD");
    catalog.add("spp").shape(PoolingShapes::pyramid).withGradient();
    catalog.add("unpool").shape(PoolingShapes.unpool(2)).withGradient();
    catalog.add("unpool3d").shape(PoolingShapes.unpool(3)).withGradient();
    catalog
        .add("max_pool2d_with_index")
        .shape(PoolingShapes.withMask(2))
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("max_pool3d_with_index")
        .shape(PoolingShapes.withMask(3))
        .withGradient()
        .needsOnlyShapeOf("X");
  }

  // In inference, the kernel does not write the statistics, and MeanOut is usually the variable
  // Mean.
  private static void addBatchNormalization(CatalogBuilder catalog) {
    catalog
        .add("batch_norm")
        .replacesLod("Y")
        .shape(NormalizationShapes::batchNorm)
        .mayWrite("SavedMean", "SavedVariance", "ReserveSpace", "MeanOut", "VarianceOut")
        // In versions before 2.0, fluid.layers.batch_norm(in_place=True) gives X and Y one name.
        .inPlace("X", "Y", "1.5,1.8," + DEFINITION)
        .withGradient()
        .shape(NormalizationShapes::gradient)
        .withGradient()
        .shape(GradientShapes::likeSecond)
        .inPlace("DY", "DDY", "2.0,2.2,2.3,2.4,2.6,HEAD");
    catalog
        .add("data_norm")
        .shape(NormalizationShapes::dataNorm)
        .mayWrite("Means", "Scales")
        .withGradient()
        .mayWriteAll();
    catalog
        .add("inplace_abn")
        .shape(NormalizationShapes::batchNorm)
        .mayWrite("SavedMean", "SavedVariance", "ReserveSpace", "MeanOut", "VarianceOut")
        .inPlace("X", "Y", "2.3,2.4")
        .withGradient()
        .shape(NormalizationShapes::gradient)
        // The kernel undoes the activation in the buffer of Y.
        .writesInputs("Y");
    catalog
        .add("sync_batch_norm")
        .shape(NormalizationShapes::batchNorm)
        .mayWrite("MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "ReserveSpace")
        .withGradient()
        .shape(NormalizationShapes::gradient);
  }

  private static void addNormalization(CatalogBuilder catalog) {
    catalog.add("spectral_norm").shape(ElementwiseShapes.like("Weight", "Out")).withGradient();
    catalog
        .add("affine_channel")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_1_8)
        .withGradient()
        .shape(NormalizationShapes::affineGradient)
        .inPlace(SINCE_1_8)
        // The kernel writes Bias@GRAD only together with Scale@GRAD.
        .mayWrite("Bias@GRAD");
    catalog
        .add("group_norm")
        .shape(NormalizationShapes::groupNorm)
        .inPlace("X", "Y", "1.5,1.8,2.0,2.2,2.3")
        .withGradient()
        .shape(NormalizationShapes::gradient)
        .inPlace("Y@GRAD", "X@GRAD", "1.5,1.8,2.0,2.2,2.3,2.4")
        .inPlace("y@GRAD", "X@GRAD", GENERATED_ONLY);
    catalog
        .add("instance_norm")
        .shape(NormalizationShapes::instanceNorm)
        .mayWrite("SavedMean", "SavedVariance")
        .inPlace("X", "Y", DEFINITION)
        .withGradient()
        .shape(NormalizationShapes::gradient)
        .withGradient()
        .shape(GradientShapes::likeSecond)
        .inPlace("DY", "DDY", SINCE_1_8_UNTIL_2_4);
    catalog
        .add("layer_norm")
        .replacesLod("Y")
        .shape(NormalizationShapes::layerNorm)
        .mayWrite("Mean", "Variance")
        .withGradient()
        .clearsLod()
        .shape(NormalizationShapes::gradient)
        .needsOnlyShapeOf("Bias");
    catalog
        .add("lrn")
        .shape(ElementwiseShapes.like("X", "Out", "MidOut"))
        .mayWrite("MidOut")
        .withGradient();
  }

  private static void addInterpolation(CatalogBuilder catalog) {
    catalog
        .add("affine_grid")
        .shape(InterpolationShapes::affineGrid)
        .withGradient()
        .shape(InterpolationShapes::affineGridGradient);
    catalog.add("bilateral_slice").shape(InterpolationShapes::bilateralSlice).withGradient();
    catalog
        .add("grid_sampler")
        .shape(InterpolationShapes::gridSampler)
        .withGradient()
        .replacesLod("Grid@GRAD", "X@GRAD");
    addInterpolation(catalog, 1, "linear_interp", "linear_interp_v2");
    addInterpolation(
        catalog,
        2,
        "bicubic_interp",
        "bicubic_interp_v2",
        "bilinear_interp",
        "bilinear_interp_v2",
        "nearest_interp",
        "nearest_interp_v2");
    addInterpolation(catalog, 3, "trilinear_interp", "trilinear_interp_v2");
  }

  private static void addInterpolation(CatalogBuilder catalog, int axes, String... types) {
    for (String type : types) {
      catalog
          .add(type)
          .shape(InterpolationShapes.interpolate(axes))
          .withGradient()
          .needsOnlyShapeOf("X");
    }
  }
}
