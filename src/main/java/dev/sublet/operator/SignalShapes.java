package dev.sublet.operator;

import java.util.ArrayList;
import java.util.List;

/** Shapes of Fourier transforms and of signals cut into frames. */
final class SignalShapes {

  private SignalShapes() {}

  private static int lastAxis(ShapeCall call, AbstractTensor x) {
    List<Long> axes = call.integers("axes");
    if (axes.isEmpty()) {
      throw new UnknownShapeException("attribute axes is empty");
    }
    return call.axis(axes.get(axes.size() - 1), x.rank());
  }

  private static Quantity half(Quantity extent) {
    return extent.floorDividedBy(2).plus(1);
  }

  /** {@code Out} of real numbers: half of the last axis if {@code onesided}. */
  static void fromReal(ShapeCall call) {
    AbstractTensor x = call.in("X");
    int axis = lastAxis(call, x);
    Quantity extent = x.dim(axis);
    boolean half = call.flag("onesided", true);
    call.out("Out", AbstractTensor.of(DimLists.with(x.dims(), axis, half ? half(extent) : extent)));
  }

  /** {@code Out} as real numbers: {@code last_dim_size} along the last axis, or twice its half. */
  static void toReal(ShapeCall call) {
    AbstractTensor x = call.in("X");
    int axis = lastAxis(call, x);
    int size = call.integer("last_dim_size", 0);
    Quantity extent = size > 0 ? Quantity.of(size) : x.dim(axis).minus(1).times(2);
    call.out("Out", AbstractTensor.of(DimLists.with(x.dims(), axis, extent)));
  }

  private static Quantity frames(Quantity samples, int length, int hop) {
    return samples.plus((double) hop - length).floorDividedBy(hop);
  }

  /** {@code Out}: frames of {@code frame_length} every {@code hop_length}, along either end. */
  static void frame(ShapeCall call) {
    AbstractTensor x = call.in("X");
    boolean last = call.integer("axis", -1) != 0;
    int length = call.integer("frame_length", 1);
    Quantity frames = frames(x.dim(last ? -1 : 0), length, call.positive("hop_length", 1));
    List<Quantity> dims = new ArrayList<>(x.dims());
    int at = last ? dims.size() - 1 : 0;
    dims.set(at, frames);
    dims.add(last ? at : 1, Quantity.of(length));
    call.out("Out", AbstractTensor.of(dims));
  }

  /** {@code Out}: the samples of overlapping frames, along either end. */
  static void overlapAdd(ShapeCall call) {
    AbstractTensor x = call.in("X");
    DimLists.checkRankAtLeast(x, "X", 2);
    boolean last = call.integer("axis", -1) != 0;
    List<Quantity> dims = new ArrayList<>(x.dims());
    int at = last ? dims.size() - 2 : 0;
    Quantity first = dims.remove(at);
    Quantity second = dims.remove(at);
    Quantity frames = last ? second : first;
    Quantity length = last ? first : second;
    dims.add(at, frames.minus(1).times(call.positive("hop_length", 1)).plus(length));
    call.out("Out", AbstractTensor.of(dims));
  }

  /** {@code Out}: for each frame of {@code n_fft} samples its frequencies. */
  static void shortTime(ShapeCall call) {
    AbstractTensor x = call.in("X");
    int length = call.integer("n_fft", 1);
    boolean half = call.flag("onesided", true);
    call.out(
        "Out",
        AbstractTensor.of(
            x.dim(0),
            Quantity.of(half ? length / 2 + 1 : length),
            frames(x.dim(-1), length, call.positive("hop_length", 1))));
  }
}
