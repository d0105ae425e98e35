package dev.sublet.operator.paddle.convolution;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ImageLayout;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SlidingWindows;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for pooling and unpooling. */
final class PoolingShapes {

  private PoolingShapes() {}

  /** Gives {@code Out} of {@code pool2d} the shape that {@link #pool} returns. */
  static void pool2d(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", pool(call, ImageLayout.of(call, "data_format", x, 2), x, 2));
  }

  /** Gives {@code Out} of {@code pool3d} the shape that {@link #pool} returns. */
  static void pool3d(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", pool(call, ImageLayout.of(call, "data_format", x, 3), x, 3));
  }

  /**
   * Returns a rule for pooling that records the position of each maximum: {@code Out} and {@code
   * Mask} have one shape, with the channels first.
   */
  static ShapeRule withMask(int axes) {
    return call -> {
      AbstractShape x = call.in("X");
      DimLists.checkRank(x, "X", axes + 2);
      AbstractShape out = pool(call, new ImageLayout(axes + 2, false), x, axes);
      call.out("Out", out);
      call.out("Mask", out);
    };
  }

  /**
   * Returns the shape of the pooled images. The spatial extents are {@code ksize} if {@code
   * adaptive}, 1 if {@code global_pooling}, and the extents of {@code x} with both. Otherwise they
   * are the number of positions of a window of {@code ksize}; with {@code ceil_mode}, windows that
   * lie partly outside count too.
   */
  private static AbstractShape pool(ShapeCall call, ImageLayout layout, AbstractShape x, int axes) {
    boolean isGlobal = call.flag("global_pooling", false);
    boolean isAdaptive = call.flag("adaptive", false);
    boolean ceil = call.flag("ceil_mode", false);
    ImmutableList.Builder<SymbolicExtent> extents = ImmutableList.builder();
    for (int i = 0; i < axes; i++) {
      SymbolicExtent extent = x.dim(layout.spatialAxis(i));
      if (isGlobal) {
        extents.add(isAdaptive ? extent : SymbolicExtent.of(1));
      } else {
        int size = SlidingWindows.numbers(call, "ksize", axes, 1).get(i);
        SymbolicExtent kernel = SymbolicExtent.of(size);
        extents.add(
            isAdaptive ? kernel : SlidingWindows.of(call, axes).pooled(i, extent, kernel, ceil));
      }
    }
    return layout.image(x, x.dim(layout.channelAxis()), extents.build());
  }

  /**
   * Gives {@code Out} the bins of all levels of a pyramid for all channels: each level has 4 times
   * as many bins as the level before it.
   */
  static void pyramid(ShapeCall call) {
    AbstractShape x = call.in("X");
    int levels = call.integer("pyramid_height", 1);
    double bins = (Math.pow(4, levels) - 1) / 3;
    call.out("Out", AbstractShape.of(x.dim(0), x.dim(1).times(bins)).withLod(x.lod()));
  }

  /**
   * Returns a rule that gives {@code Out} the extents {@code output_size}, or without this
   * attribute the least extents from which pooling gives those of {@code X}.
   */
  static ShapeRule unpool(int axes) {
    return call -> {
      AbstractShape x = call.in("X");
      DimLists.checkRank(x, "X", axes + 2);
      ImmutableList.Builder<SymbolicExtent> extents = ImmutableList.builder();
      ImmutableIntArray kernels = SlidingWindows.numbers(call, "ksize", axes, 1);
      for (int i = 0; i < axes; i++) {
        extents.add(
            call.hasAttribute("output_size")
                ? SymbolicExtent.of(SlidingWindows.numbers(call, "output_size", axes, 0).get(i))
                : SlidingWindows.of(call, axes)
                    .transposed(i, x.dim(i + 2), SymbolicExtent.of(kernels.get(i))));
      }
      call.out("Out", new ImageLayout(axes + 2, false).image(x, x.dim(1), extents.build()));
    };
  }
}
