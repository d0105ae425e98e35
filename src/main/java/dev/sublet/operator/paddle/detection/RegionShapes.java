package dev.sublet.operator.paddle.detection;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for the pooling of image regions. */
final class RegionShapes {

  private RegionShapes() {}

  /** Gives {@code Out} and {@code Argmax} a grid of all channels per region. */
  static void pool(ShapeCall call) {
    SymbolicExtent channels = call.in("X").dim(1);
    AbstractShape out = grid(call, channels, "pooled");
    call.out("Out", out);
    call.out("Argmax", out);
  }

  /**
   * Gives {@code Out} a grid of {@code output_channels} per region, each channel from one group of
   * input channels.
   */
  static void positionSensitive(ShapeCall call) {
    AbstractShape x = call.in("X");
    long channels = call.integer("output_channels", 1);
    long cells = (long) call.integer("pooled_height", 1) * call.integer("pooled_width", 1);
    if (x.dim(1).isExact() && !x.dim(1).is((double) channels * cells)) {
      throw new ShapeMismatchException(
          "X "
              + x
              + " has "
              + x.dim(1)
              + " channels, but "
              + cells
              + " cells of "
              + channels
              + " channels take "
              + channels * cells);
    }
    call.out("Out", grid(call, SymbolicExtent.of(channels), "pooled"));
  }

  /** Gives {@code Output} and {@code TopCount} a grid of {@code output_dim} channels per region. */
  static void deformable(ShapeCall call) {
    SymbolicExtent channels = SymbolicExtent.of((long) call.integer("output_dim", 1));
    AbstractShape out = grid(call, channels, "pooled");
    call.out("Output", out);
    call.out("TopCount", out);
  }

  /**
   * Gives {@code Out} each region stretched to one size, and {@code Mask} the pixels that the
   * region covers.
   */
  static void perspective(ShapeCall call) {
    SymbolicExtent regions = call.in("ROIs").dim(0);
    AbstractShape out = grid(call, call.in("X").dim(1), "transformed");
    call.out("Out", out.withLod(call.in("ROIs").lod()));
    call.out("Mask", grid(call, SymbolicExtent.of(1), "transformed"));
    call.out("TransformMatrix", AbstractShape.of(regions, SymbolicExtent.of(9)));
  }

  private static AbstractShape grid(ShapeCall call, SymbolicExtent channels, String prefix) {
    return AbstractShape.of(
        call.in("ROIs").dim(0),
        channels,
        SymbolicExtent.of((long) call.integer(prefix + "_height", 1)),
        SymbolicExtent.of((long) call.integer(prefix + "_width", 1)));
  }
}
