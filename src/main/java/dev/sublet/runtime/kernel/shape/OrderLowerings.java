package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.loops;
import static dev.sublet.runtime.kernel.Indices.modulo;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;
import java.util.BitSet;

/** Operators that put the elements of a tensor in another order. */
public final class OrderLowerings {

  private OrderLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("flip", OrderLowerings::reverse);
    kernels.lowered("pixel_shuffle", OrderLowerings::pixelShuffle);
    kernels.lowered("pixel_shuffle_grad", OrderLowerings::pixelShuffleGradient);
    kernels.lowered("reverse", OrderLowerings::reverse);
    kernels.differentiated("roll", OrderLowerings::roll);
    kernels.lowered("shuffle_channel", OrderLowerings::shuffleChannel);
    kernels.lowered("shuffle_channel_grad", OrderLowerings::shuffleChannelGradient);
    kernels.differentiated("space_to_depth", OrderLowerings::spaceToDepth);
    kernels.lowered("transpose", OrderLowerings::transpose);
    kernels.lowered("transpose2", OrderLowerings::transpose);
    kernels.lowered("transpose_grad", OrderLowerings::transposeBack);
    kernels.lowered("transpose2_grad", OrderLowerings::transposeBack);
  }

  private static void transpose(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] axes = IntegerArguments.attribute(lowering.call(), "axis");
    lowering.out("Out", f.transpose(x, order(axes, f.rank(x))));
    ReshapeLowerings.shapeOutput(lowering, f, x);
  }

  private static void transposeBack(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue gradient = lowering.in("Out@GRAD");
    long[] axes = IntegerArguments.attribute(lowering.call(), "axis");
    int[] order = order(axes, f.rank(gradient));
    int[] back = new int[order.length];
    for (int axis = 0; axis < order.length; axis++) {
      back[order[axis]] = axis;
    }
    lowering.out("X@GRAD", f.transpose(gradient, back));
  }

  /**
   * Returns the order of axes for {@link Formula#transpose}.
   *
   * @throws OperatorException if an axis is missing
   */
  public static int[] order(long[] axes, int rank) {
    if (axes.length != rank) {
      throw new OperatorException(axes.length + " axes for a tensor of " + rank);
    }
    int[] order = new int[rank];
    BitSet taken = new BitSet();
    for (int axis = 0; axis < rank; axis++) {
      order[axis] = Shapes.axis(axes[axis], rank);
      taken.set(order[axis]);
    }
    if (taken.cardinality() < rank) {
      throw new OperatorException(
          "axis is " + Arrays.toString(axes) + ", which does not name every axis once");
    }
    return order;
  }

  private static void reverse(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    IndexExpression[] at = loops(shape.length);
    for (long named : lowering.call().integers("axis")) {
      int axis = Shapes.axis(named, shape.length);
      at[axis] = plus(times(loop(axis), -1), shape[axis] - 1);
    }
    lowering.out("Out", f.reindex(x, shape, at));
  }

  /**
   * Lowers {@code roll}: along some axes, or along all elements as one axis if no axis is named.
   */
  private static void roll(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    long[] shifts = IntegerArguments.of(call, "shifts", "ShiftsTensor");
    long[] axes = IntegerArguments.attribute(call, "axis");
    if (axes.length > 0) {
      IntegerArguments.exactly(axes.length, shifts, "shifts");
    }
    long[] rolled = axes.length == 0 ? new long[] {Shapes.count(shape)} : shape;
    long[] by = new long[rolled.length];
    for (int i = 0; i < shifts.length; i++) {
      by[axes.length == 0 ? 0 : Shapes.axis(axes[i], shape.length)] += shifts[i];
    }
    IndexExpression[] at = loops(rolled.length);
    for (int axis = 0; axis < rolled.length; axis++) {
      if (rolled[axis] > 0 && by[axis] != 0) {
        long shift = Math.floorMod(-by[axis], rolled[axis]);
        at[axis] = modulo(plus(loop(axis), shift), rolled[axis]);
      }
    }
    lowering.out("Out", f.reshape(f.reindex(f.reshape(x, rolled), rolled, at), shape));
  }

  /** Lowers {@code pixel_shuffle}: channels become blocks of r × r pixels. */
  private static void pixelShuffle(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = lowering.call().shape("X", 4).toArray();
    long r = upscaleFactor(lowering.call());
    boolean last = lowering.call().text("data_format", "NCHW").equals("NHWC");
    int channels = last ? 3 : 1;
    int height = last ? 1 : 2;
    long[] shuffled = shape.clone();
    shuffled[channels] /= r * r;
    shuffled[height] *= r;
    shuffled[height + 1] *= r;
    IndexExpression inBlock = plus(times(modulo(loop(height), r), r), modulo(loop(height + 1), r));
    IndexExpression[] at = loops(4);
    at[channels] = plus(times(loop(channels), r * r), inBlock);
    at[height] = over(loop(height), r);
    at[height + 1] = over(loop(height + 1), r);
    lowering.out("Out", f.reindex(x, shuffled, at));
  }

  private static long upscaleFactor(OperatorCall call) {
    long factor = call.integer("upscale_factor", 1);
    if (factor < 1) {
      throw new OperatorException("upscale_factor is " + factor);
    }
    return factor;
  }

  /** Lowers the gradient of {@code pixel_shuffle}: pixels become channels again. */
  private static void pixelShuffleGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue gradient = lowering.in("Out@GRAD");
    long[] shape = lowering.call().shape("Out@GRAD", 4).toArray();
    long r = upscaleFactor(lowering.call());
    boolean last = lowering.call().text("data_format", "NCHW").equals("NHWC");
    int channels = last ? 3 : 1;
    int height = last ? 1 : 2;
    shape[channels] *= r * r;
    shape[height] /= r;
    shape[height + 1] /= r;
    IndexExpression inBlock = modulo(loop(channels), r * r);
    IndexExpression[] at = loops(4);
    at[channels] = over(loop(channels), r * r);
    at[height] = plus(times(loop(height), r), over(inBlock, r));
    at[height + 1] = plus(times(loop(height + 1), r), modulo(inBlock, r));
    lowering.out("X@GRAD", f.reindex(gradient, shape, at));
  }

  /**
   * Lowers {@code shuffle_channel}: the channels, as a matrix with one row per group, are
   * transposed.
   */
  private static void shuffleChannel(LoweringCall lowering) {
    long groups = lowering.call().integer("group", 1);
    lowering.out("Out", shuffled(lowering, lowering.in("X"), groups));
  }

  private static void shuffleChannelGradient(LoweringCall lowering) {
    MicroValue gradient = lowering.in("Out@GRAD");
    long channels = lowering.call().shapeFrom("Out@GRAD", 2).get(1);
    long groups = lowering.call().integer("group", 1);
    checkGroups(channels, groups);
    lowering.out("X@GRAD", shuffled(lowering, gradient, channels / groups));
  }

  private static void checkGroups(long channels, long groups) {
    if (groups < 1 || channels < 1 || channels % groups != 0) {
      throw new OperatorException(channels + " channels in " + groups + " groups");
    }
  }

  private static MicroValue shuffled(LoweringCall lowering, MicroValue x, long groups) {
    Formula f = new Formula(lowering.graph());
    if (f.type(x) != ElementType.FLOAT32) {
      throw new OperatorException(
          "channels of "
              + f.type(x)
              + ", of which Paddle moves as many bytes as floats would have");
    }
    long[] shape = f.shape(x);
    checkGroups(shape.length < 2 ? 0 : shape[1], groups);
    IndexExpression[] at = loops(shape.length);
    at[1] = plus(times(modulo(loop(1), groups), shape[1] / groups), over(loop(1), groups));
    return f.reindex(x, shape, at);
  }

  /**
   * Lowers {@code space_to_depth} with the element order of Paddle: the elements are written as if
   * pixels were spread over blocks of n × n with fewer channels, and read as smaller images with
   * more channels.
   */
  private static void spaceToDepth(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = Shapes.ofRank(4, f.shape(x), "X");
    long n = lowering.call().integer("blocksize", 1);
    if (n < 1 || shape[1] % n != 0 || shape[2] % n != 0 || shape[3] % n != 0) {
      throw new OperatorException("blocks of " + n + " in " + Arrays.toString(shape));
    }
    long channels = shape[1] / (n * n);
    long[] spread = {shape[0], channels, shape[2] * n, shape[3] * n};
    IndexExpression block = plus(times(modulo(loop(2), n), n), modulo(loop(3), n));
    MicroValue written =
        f.reindex(
            x,
            spread,
            loop(0),
            plus(times(block, channels), loop(1)),
            over(loop(2), n),
            over(loop(3), n));
    lowering.out("Out", f.reshape(written, shape[0], shape[1] * n * n, shape[2] / n, shape[3] / n));
  }
}
