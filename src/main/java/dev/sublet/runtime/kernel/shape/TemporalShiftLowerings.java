package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.plus;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.ImageAxes;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;

/**
 * Channels shifted in time.
 *
 * <p>Source: {@code temporal_shift_op.h} of Paddle 2.3.
 */
public final class TemporalShiftLowerings {

  private TemporalShiftLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated(
        "temporal_shift",
        TemporalShiftLowerings::temporalShift,
        TemporalShiftLowerings::temporalShiftOfAny);
  }

  /**
   * Lowers {@code temporal_shift}. In a series of {@code seg_num} images, the first channels of
   * {@code Out} come from the previous image, and as many channels after them from the next image.
   * They are zero if there is no such image.
   */
  private static void temporalShift(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    ImageAxes layout = ImageAxes.of(call, "data_format", 4);
    Shapes.ofRank(4, f.shape(lowering.in("X")), "X");
    MicroValue x = layout.channelsFirst(f, lowering.in("X"));
    long[] shape = f.shape(x);
    long moments = call.integer("seg_num", 1);
    if (moments < 1 || shape[0] % moments != 0) {
      throw new OperatorException(shape[0] + " images in rows of " + moments);
    }
    float ratio = (float) call.real("shift_ratio", 0.25);
    long fromBefore = (long) (shape[1] * ratio);
    long fromAfter = (long) (shape[1] * 2 * ratio);
    long[] rows = {shape[0] / moments, moments, shape[1], shape[2] * shape[3]};
    MicroValue series = f.reshape(x, rows);
    MicroValue channel = f.position(rows, loop(2));
    MicroValue later =
        f.graph()
            .choose(
                f.apply(BinaryOperator.LESS, channel, fromAfter),
                f.reindex(series, rows, loop(0), plus(loop(1), 1), loop(2), loop(3)),
                series);
    MicroValue shifted =
        f.graph()
            .choose(
                f.apply(BinaryOperator.LESS, channel, fromBefore),
                f.reindex(series, rows, loop(0), plus(loop(1), -1), loop(2), loop(3)),
                later);
    lowering.out("Out", layout.asWas(f, f.reshape(shifted, shape)));
  }

  /**
   * Lowers {@code temporal_shift} for the gradient operator, which has only the gradient of the
   * result.
   */
  private static void temporalShiftOfAny(LoweringCall lowering) {
    lowering.assumeLike("X", "Out@GRAD");
    temporalShift(lowering);
  }
}
