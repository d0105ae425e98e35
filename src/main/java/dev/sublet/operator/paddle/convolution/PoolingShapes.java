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

/** Shapes of pooling and of its inverse. */
final class PoolingShapes {

  private PoolingShapes() {}

  /** {@code Out} of {@code pool2d}; see {@link #pool}. */
  static void pool2d(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", pool(call, ImageLayout.of(call, "data_format", x, 2), x, 2));
  }

  /** {@code Out} of {@code pool3d}; see {@link #pool}. */
  static void pool3d(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", pool(call, ImageLayout.of(call, "data_format", x, 3), x, 3));
  }

  /** {@code Out} and {@code Mask} of pooling that says where each maximum is; channels first. */
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
   * The pooled images: of extent {@code ksize} if {@code adaptive}, one pixel if {@code
   * global_pooling}, else as many places as a window of {@code ksize} has; {@code ceil_mode} counts
   * those that are partly outside.
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

  /** {@code Out}: for each level of a pyramid, 4 times as many bins of all channels. */
  static void pyramid(ShapeCall call) {
    AbstractShape x = call.in("X");
    int levels = call.integer("pyramid_height", 1);
    double bins = (Math.pow(4, levels) - 1) / 3;
    call.out("Out", AbstractShape.of(x.dim(0), x.dim(1).times(bins)).withLod(x.lod()));
  }

  /** {@code Out}: of {@code output_size}, or as large as what was pooled at least. */
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
