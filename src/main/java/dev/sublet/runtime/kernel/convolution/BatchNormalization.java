package dev.sublet.runtime.kernel.convolution;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.ImageAxes;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Batch normalization and its gradient.
 *
 * <p>Source: S. Ioffe, C. Szegedy, "Batch Normalization", ICML 2015, algorithm 1. As in Paddle,
 * {@code SavedVariance} is 1/√(variance + epsilon), and a batch with one element per channel is not
 * normalized at all.
 */
public final class BatchNormalization {

  private final LoweringCall lowering;
  private final Formula f;
  private final MicroValue x;
  private final int channelAxis;
  private final int[] reduced;

  private BatchNormalization(LoweringCall lowering) {
    this.lowering = lowering;
    this.f = new Formula(lowering.graph());
    this.x = lowering.in("X");
    int rank = f.rank(x);
    Shapes.ofRankFrom(1, f.shape(x), "X");
    this.channelAxis = ImageAxes.of(lowering.call(), "data_layout", rank).channelAxis();
    this.reduced = IntStream.range(0, rank).filter(axis -> axis != channelAxis).toArray();
  }

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("batch_norm", lowering -> new BatchNormalization(lowering).forward());
    kernels.lowered("batch_norm_grad", lowering -> new BatchNormalization(lowering).backward());
    kernels.lowered("sync_batch_norm", lowering -> new BatchNormalization(lowering).forward());
    kernels.lowered(
        "sync_batch_norm_grad", lowering -> new BatchNormalization(lowering).backward());
  }

  private boolean usesGivenStatistics() {
    OperatorCall call = lowering.call();
    return call.flag("use_global_stats", false)
        || (call.flag("is_test", false) && !call.flag("trainable_statistics", false));
  }

  /** Returns the number of elements of each channel. */
  private long elements() {
    return Shapes.count(f.shape(x)) / Math.max(f.shape(x)[channelAxis], 1);
  }

  private void forward() {
    checkStatistic("Mean");
    checkStatistic("Variance");
    if (usesGivenStatistics()) {
      MicroValue inverse = inverseDeviation(lowering.in("Variance"));
      lowering.out("Y", normalized(lowering.in("Mean"), inverse));
      return;
    }
    MicroValue mean = f.reduceAway(Reduction.MEAN, x, reduced);
    MicroValue distance = f.minus(x, channels(mean));
    MicroValue variance = f.reduceAway(Reduction.MEAN, f.square(distance), reduced);
    MicroValue inverse = inverseDeviation(variance);
    lowering.out("Y", elements() == 1 ? x : normalized(mean, inverse));
    if (elements() == 1) {
      return;
    }
    lowering.out("SavedMean", mean);
    lowering.out("SavedVariance", inverse);
    lowering.out("MeanOut", updated("Mean", mean));
    lowering.out("VarianceOut", updated("Variance", variance));
  }

  private void checkStatistic(String slot) {
    long[] shape = f.shape(lowering.in(slot));
    if (shape.length != 1 || shape[0] != f.shape(x)[channelAxis]) {
      throw new OperatorException(slot + " has the shape " + Arrays.toString(shape));
    }
  }

  private MicroValue updated(String slot, MicroValue statistic) {
    // A float, as in Paddle. Paddle has ignored MomentumTensor since version 2.3.
    float kept = (float) lowering.call().real("momentum", 0.9);
    return f.plus(f.times(lowering.in(slot), kept), f.times(statistic, 1f - kept));
  }

  private MicroValue inverseDeviation(MicroValue variance) {
    double epsilon = lowering.call().real("epsilon", 1e-5);
    return f.apply(UnaryOperator.RSQRT, f.plus(variance, epsilon));
  }

  /** Returns x · a + b, with one a and one b per channel. */
  private MicroValue normalized(MicroValue mean, MicroValue inverse) {
    MicroValue factor = f.times(inverse, lowering.in("Scale"));
    MicroValue offset = f.minus(lowering.in("Bias"), f.times(mean, factor));
    return f.plus(f.times(x, channels(factor)), channels(offset));
  }

  private MicroValue channels(MicroValue statistic) {
    return f.along(statistic, f.shape(x), channelAxis);
  }

  private void backward() {
    MicroValue dy = lowering.in("Y@GRAD");
    boolean given = usesGivenStatistics();
    MicroValue mean = lowering.in(given ? "Mean" : "SavedMean");
    MicroValue inverse =
        given ? inverseDeviation(lowering.in("Variance")) : lowering.in("SavedVariance");
    MicroValue normal = f.times(f.minus(x, channels(mean)), channels(inverse));
    MicroValue dBias = f.reduceAway(Reduction.SUM, dy, reduced);
    MicroValue dScale = f.reduceAway(Reduction.SUM, f.times(dy, normal), reduced);
    if (lowering.call().wants("Scale@GRAD")) {
      lowering.out("Scale@GRAD", dScale);
    }
    if (lowering.call().wants("Bias@GRAD")) {
      lowering.out("Bias@GRAD", dBias);
    }
    if (!lowering.call().wants("X@GRAD")) {
      return;
    }
    if (elements() == 1 && !given) {
      lowering.out("X@GRAD", dy);
      return;
    }
    MicroValue dNormal = dy;
    if (!given) {
      double count = (double) elements();
      MicroValue away = f.plus(channels(dBias), f.times(normal, channels(dScale)));
      dNormal = f.minus(dy, f.over(away, count));
    }
    MicroValue factor = f.times(lowering.in("Scale"), inverse);
    lowering.out("X@GRAD", f.times(dNormal, channels(factor)));
  }
}
