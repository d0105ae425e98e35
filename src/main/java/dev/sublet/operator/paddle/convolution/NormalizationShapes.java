package dev.sublet.operator.paddle.convolution;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ImageLayout;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shapes of normalizations: the result is like the input, the statistics differ. */
final class NormalizationShapes {

  private NormalizationShapes() {}

  /**
   * {@code Y} is like {@code X}, every statistic has one number a channel. How large {@code
   * ReserveSpace} is, cuDNN decides.
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

  /** {@code Scale@GRAD} and {@code Bias@GRAD} are alike, even if only one of the two is given. */
  static void gradient(ShapeCall call) {
    GradientShapes.likeForward(call);
    for (String name : new String[] {"Scale", "Bias"}) {
      if (!call.has(name)) {
        String other = name.equals("Scale") ? "Bias" : "Scale";
        call.out(name + "@GRAD", call.in(other).withElements(null));
      }
    }
  }

  /** {@code Y} is like {@code X}; the statistics are for each channel of each image. */
  static void instanceNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape statistic = AbstractShape.of(x.dim(0).times(x.dim(1)));
    call.out("Y", x.withElements(null));
    call.out("SavedMean", statistic);
    call.out("SavedVariance", statistic);
  }

  /** {@code Y} is like {@code X}; the statistics are for each of {@code groups} of each image. */
  static void groupNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape statistic =
        AbstractShape.of(x.dim(0), SymbolicExtent.of(call.integer("groups", 1)));
    call.out("Y", x.withElements(null));
    call.out("Mean", statistic);
    call.out("Variance", statistic);
  }

  /** {@code Y} is like {@code X}; the statistics are for all extents before begin_norm_axis. */
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

  /** {@code Y} is like {@code X}; the statistics are for each channel. */
  static void dataNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent channels = x.dim(ImageLayout.of(call, "data_layout", x).channelAxis());
    call.out("Y", x.withElements(null));
    call.out("Means", AbstractShape.of(channels));
    call.out("Scales", AbstractShape.of(channels));
  }
}
