package dev.sublet.operator.paddle.convolution;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ImageLayout;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for normalizations: the result has the shape of the input; the statistics differ. */
final class NormalizationShapes {

  private NormalizationShapes() {}

  /**
   * Gives {@code Y} the shape of {@code X}, and every statistic one number per channel. cuDNN
   * chooses the size of {@code ReserveSpace}.
   */
  static void batchNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent channels = x.dim(ImageLayout.of(call, "data_layout", x).channelAxis());
    if (call.has("Scale")) {
      AbstractShape scale = call.in("Scale");
      DimLists.checkEqual(
          scale.count(),
          channels,
          "X %s has %s channels, but Scale %s is for %s",
          x,
          channels,
          scale,
          scale.count());
    }
    call.out("Y", x.withElements(null));
    for (String name : new String[] {"MeanOut", "VarianceOut", "SavedMean", "SavedVariance"}) {
      call.out(name, AbstractShape.of(channels));
    }
    call.out("ReserveSpace", AbstractShape.unknown("its size is the choice of cuDNN"));
  }

  /** {@code affine_channel_grad}: {@code Bias@GRAD} is empty without {@code Scale@GRAD}. */
  static void affineGradient(ShapeCall call) {
    gradient(call);
    if (call.outputs("Scale@GRAD") == 0) {
      call.out("Bias@GRAD", AbstractShape.of(0));
    }
  }

  /**
   * Gives every gradient the shape of its input. {@code Scale@GRAD} and {@code Bias@GRAD} have the
   * same shape, even if only one of {@code Scale} and {@code Bias} is given.
   */
  static void gradient(ShapeCall call) {
    GradientShapes.likeForward(call);
    for (String name : new String[] {"Scale", "Bias"}) {
      if (!call.has(name)) {
        String other = name.equals("Scale") ? "Bias" : "Scale";
        call.out(name + "@GRAD", call.in(other).withElements(null));
      }
    }
  }

  /**
   * Gives {@code Y} the shape of {@code X}, and each statistic one number per channel of each
   * image.
   */
  static void instanceNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape statistic = AbstractShape.of(x.dim(0).times(x.dim(1)));
    call.out("Y", x.withElements(null));
    call.out("SavedMean", statistic);
    call.out("SavedVariance", statistic);
  }

  /**
   * Gives {@code Y} the shape of {@code X}, and each statistic one number per group of each image;
   * the attribute {@code groups} is the number of groups.
   */
  static void groupNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape statistic =
        AbstractShape.of(x.dim(0), SymbolicExtent.of(call.integer("groups", 1)));
    call.out("Y", x.withElements(null));
    call.out("Mean", statistic);
    call.out("Variance", statistic);
  }

  /**
   * Gives {@code Y} the shape of {@code X}, and each statistic one number per combination of
   * indices before axis {@code begin_norm_axis}.
   */
  static void layerNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = call.axis(call.integer("begin_norm_axis", 1), x.rank());
    if (call.has("Scale")) {
      AbstractShape scale = call.in("Scale");
      SymbolicExtent width = DimLists.product(x.dims().subList(axis, x.rank()));
      DimLists.checkEqual(
          scale.count(),
          width,
          "X %s has %s numbers from axis %s on, but Scale %s is for %s",
          x,
          width,
          axis,
          scale,
          scale.count());
    }
    AbstractShape statistic = AbstractShape.of(DimLists.product(x.dims().subList(0, axis)));
    call.out("Y", x.withElements(null));
    call.out("Mean", statistic);
    call.out("Variance", statistic);
  }

  /** Gives {@code Y} the shape of {@code X}, and each statistic one number per channel. */
  static void dataNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent channels = x.dim(ImageLayout.of(call, "data_layout", x).channelAxis());
    call.out("Y", x.withElements(null));
    call.out("Means", AbstractShape.of(channels));
    call.out("Scales", AbstractShape.of(channels));
  }
}
