package dev.sublet.operator.paddle.product;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.ArrayList;
import java.util.List;

/** Shape rules for Fourier transforms and for signals that are cut into frames. */
final class SignalShapes {

  private SignalShapes() {}

  private static int lastAxis(ShapeCall call, AbstractShape x) {
    List<Long> axes = call.integers("axes");
    if (axes.isEmpty()) {
      throw new UnknownShapeException("attribute axes is empty");
    }
    return call.axis(axes.get(axes.size() - 1), x.rank());
  }

  private static SymbolicExtent half(SymbolicExtent extent) {
    return extent.floorDividedBy(2).plus(1);
  }

  /**
   * Gives {@code Out} the transform of real numbers. With {@code onesided}, the last of {@code
   * axes} keeps n / 2 + 1 of its n numbers.
   */
  static void fromReal(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = lastAxis(call, x);
    SymbolicExtent extent = x.dim(axis);
    boolean half = call.flag("onesided", true);
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), axis, half ? half(extent) : extent)));
  }

  /**
   * Gives {@code Out} real numbers: {@code last_dim_size} along the last of {@code axes}, or
   * without this attribute 2 (n - 1) for an input extent n.
   */
  static void toReal(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = lastAxis(call, x);
    int size = call.integer("last_dim_size", 0);
    SymbolicExtent extent = size > 0 ? SymbolicExtent.of(size) : x.dim(axis).minus(1).times(2);
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), axis, extent)));
  }

  /** Gives {@code X@GRAD} n / 2 + 1 numbers for the n along the last of {@code axes}. */
  static void toRealGradient(ShapeCall call) {
    AbstractShape out = call.in("Out@GRAD");
    int axis = lastAxis(call, out);
    call.out("X@GRAD", AbstractShape.of(DimLists.with(out.dims(), axis, half(out.dim(axis)))));
  }

  private static SymbolicExtent frames(SymbolicExtent samples, int length, int hop) {
    return samples.plus((double) hop - length).floorDividedBy(hop);
  }

  /**
   * Gives {@code Out} frames of {@code frame_length} samples, one every {@code hop_length} samples,
   * along the first or the last axis.
   */
  static void frame(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean last = call.integer("axis", -1) != 0;
    int length = call.integer("frame_length", 1);
    SymbolicExtent frames = frames(x.dim(last ? -1 : 0), length, call.positive("hop_length", 1));
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    int at = last ? dims.size() - 1 : 0;
    dims.set(at, frames);
    dims.add(last ? at : 1, SymbolicExtent.of(length));
    call.out("Out", AbstractShape.of(dims));
  }

  /** Gives {@code Out} the samples of overlapping frames, along the first or the last axis. */
  static void overlapAdd(ShapeCall call) {
    AbstractShape x = call.in("X");
    DimLists.checkRankAtLeast(x, "X", 2);
    boolean last = call.integer("axis", -1) != 0;
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    int at = last ? dims.size() - 2 : 0;
    SymbolicExtent first = dims.remove(at);
    SymbolicExtent second = dims.remove(at);
    SymbolicExtent frames = last ? second : first;
    SymbolicExtent length = last ? first : second;
    dims.add(at, frames.minus(1).times(call.positive("hop_length", 1)).plus(length));
    call.out("Out", AbstractShape.of(dims));
  }

  /** Gives {@code Out} the frequencies of each frame of {@code n_fft} samples. */
  static void shortTime(ShapeCall call) {
    AbstractShape x = call.in("X");
    int length = call.integer("n_fft", 1);
    boolean half = call.flag("onesided", true);
    call.out(
        "Out",
        AbstractShape.of(
            x.dim(0),
            SymbolicExtent.of(half ? length / 2 + 1 : length),
            frames(x.dim(-1), length, call.positive("hop_length", 1))));
  }
}
