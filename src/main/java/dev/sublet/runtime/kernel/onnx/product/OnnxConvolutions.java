package dev.sublet.runtime.kernel.onnx.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.convolution.ConvolutionLowerings;
import dev.sublet.runtime.kernel.convolution.DeformableLowerings;
import dev.sublet.runtime.kernel.convolution.SlidingWindow;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.Quantities;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Convolutions and transposed convolutions with any number of spatial axes. */
public final class OnnxConvolutions {

  private OnnxConvolutions() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("Conv", OnnxConvolutions::convolution);
    family.numbers("ConvTranspose", OnnxConvolutions::transposed);
    family.numbers("DeformConv", OnnxConvolutions::deformable);
    family.numbers("com.microsoft.FusedConv", OnnxConvolutions::convolution);
    family.lowered("ConvInteger", Use.MOVES, OutputTypes.asComputed(), OnnxConvolutions::integers);
    family.lowered("QLinearConv", Use.MOVES, OutputTypes.asComputed(), OnnxConvolutions::quantized);
    family.lowered(
        "com.microsoft.QLinearConv",
        Use.MOVES,
        OutputTypes.asComputed(),
        OnnxConvolutions::quantized);
  }

  /** The computation of a convolution by {@link ConvolutionLowerings} or {@link ExactSums}. */
  private interface Convolution {
    MicroValue of(
        Formula f, MicroValue images, MicroValue filters, SlidingWindow[] windows, long groups);
  }

  /** Returns the convolution of images and filters, with channels first. */
  private static MicroValue convolve(
      Formula f,
      OperatorCall call,
      MicroValue images,
      MicroValue filters,
      Convolution convolution) {
    long[] shape = f.shape(images);
    long[] filter = Shapes.ofRank(shape.length, f.shape(filters), "the filter");
    long groups = groups(call, filter[0]);
    if (shape[1] != filter[1] * groups) {
      throw new OperatorException(
          shape[1] + " channels for the filter " + Arrays.toString(filter) + ", group " + groups);
    }
    SlidingWindow[] windows =
        ImageWindows.of(call, ImageWindows.spatial(shape), ImageWindows.kernels(call, filter));
    return convolution.of(f, images, filters, windows, groups);
  }

  private static long groups(OperatorCall call, long filters) {
    long groups = call.integer("group", 1);
    if (groups < 1 || filters % groups != 0) {
      throw new OperatorException(filters + " filters in " + groups + " groups");
    }
    return groups;
  }

  /** Lowers Conv and FusedConv, which adds input 3 and applies an activation. */
  private static void convolution(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue out =
        convolve(f, call, lowering.in("0"), lowering.in("1"), ConvolutionLowerings::convolve);
    out = withBias(lowering, f, out);
    if (call.has("3")) {
      out = f.plus(out, NumpyBroadcast.stretch(f, lowering.in("3"), f.shape(out)));
    }
    List<Double> numbers = call.reals("activation_params");
    FusedActivation activation =
        new FusedActivation(
            call.text("activation", ""),
            numbers.isEmpty() ? 0.01 : numbers.get(0),
            numbers.size() < 2 ? 0 : numbers.get(1));
    lowering.out("0", activation.apply(f, out));
  }

  private static MicroValue withBias(LoweringCall lowering, Formula f, MicroValue out) {
    return lowering.call().has("2")
        ? f.plus(out, OnnxOperands.along(f, lowering.in("2"), f.shape(out), 1))
        : out;
  }

  private static void transposed(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue images = lowering.in("0");
    long[] shape = f.shape(images);
    MicroValue filters = lowering.in("1");
    long[] filter = Shapes.ofRank(shape.length, f.shape(filters), "the filter");
    long groups = groups(call, filter[0]);
    if (shape[1] != filter[0]) {
      throw new OperatorException(shape[1] + " channels for the filter " + Arrays.toString(filter));
    }
    ImageWindows.Transposed windows =
        ImageWindows.Transposed.of(
            call, ImageWindows.spatial(shape), ImageWindows.kernels(call, filter));
    MicroValue out =
        ConvolutionLowerings.transpose(
            f,
            images,
            filters,
            windows.windows().toArray(new SlidingWindow[0]),
            windows.extents().toArray(),
            groups);
    lowering.out("0", withBias(lowering, f, out));
  }

  /** Lowers DeformConv. Inputs: images, filters, offsets, a bias, weights of points. */
  private static void deformable(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long[] shape = call.shape("0", 4).toArray();
    long[] filter = call.shape("1", 4).toArray();
    DeformableLowerings.Points points =
        new DeformableLowerings.Points(
            lowering.in("2"),
            call.has("4") ? Optional.of(lowering.in("4")) : Optional.empty(),
            call.integer("offset_group", 1));
    SlidingWindow[] windows =
        ImageWindows.of(call, ImageWindows.spatial(shape), ImageWindows.kernels(call, filter));
    MicroValue out =
        DeformableLowerings.convolve(
            f, lowering.in("0"), lowering.in("1"), points, windows, groups(call, filter[0]));
    lowering.out(
        "0",
        call.has("3")
            ? f.plus(out, OnnxOperands.along(f, lowering.in("3"), f.shape(out), 1))
            : out);
  }

  private static void integers(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue images = centered(lowering, f, lowering.in("0"), "2");
    MicroValue filters = centered(lowering, f, lowering.in("1"), "3");
    lowering.out("0", convolve(f, lowering.call(), images, filters, ExactSums::convolution));
  }

  /** Returns integers minus their zero point: a number, or one per index of the first axis. */
  private static MicroValue centered(
      LoweringCall lowering, Formula f, MicroValue x, String zeroPoint) {
    if (!lowering.call().has(zeroPoint)) {
      return f.as(ElementType.INT32, x);
    }
    MicroValue zero = OnnxOperands.along(f, lowering.in(zeroPoint), f.shape(x), 0);
    return Quantities.centered(f, x, zero);
  }

  /**
   * Lowers QLinearConv. Inputs: the images, their scale and zero point, the same of the filters and
   * the result in another order, and a bias of INT32.
   */
  private static void quantized(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    boolean isLast = call.flag("channels_last", false);
    MicroValue images = channelsFirst(f, lowering.in("0"), isLast);
    images = Quantities.centered(f, images, OnnxOperands.single(f, lowering.in("2")));
    MicroValue filters = centered(lowering, f, lowering.in("3"), "5");
    MicroValue sums = convolve(f, call, images, filters, ExactSums::convolution);
    long[] shape = f.shape(sums);
    if (call.has("8")) {
      sums = f.plus(sums, OnnxOperands.along(f, lowering.in("8"), shape, 1));
    }
    MicroValue scale =
        f.times(
            OnnxOperands.single(f, lowering.in("1")),
            OnnxOperands.along(f, lowering.in("4"), shape, 1));
    scale = f.over(scale, OnnxOperands.single(f, lowering.in("6")));
    MicroValue numbers = f.times(f.as(ElementType.FLOAT32, sums), scale);
    MicroValue zero = OnnxOperands.single(f, lowering.in("7"));
    lowering.out("0", channelsAsWere(f, Quantities.stored(f, numbers, zero), isLast));
  }

  /** Returns images with their channels as the second axis; they may be the last one. */
  static MicroValue channelsFirst(Formula f, MicroValue images, boolean isLast) {
    int rank = f.rank(images);
    if (!isLast || rank < 2) {
      return images;
    }
    int[] order = Shapes.range(-1, rank - 1);
    order[0] = 0;
    order[1] = rank - 1;
    return f.transpose(images, order);
  }

  /** Undoes {@link #channelsFirst}. */
  static MicroValue channelsAsWere(Formula f, MicroValue images, boolean isLast) {
    int rank = f.rank(images);
    if (!isLast || rank < 2) {
      return images;
    }
    int[] order = Shapes.range(1, rank + 1);
    order[0] = 0;
    order[rank - 1] = 1;
    return f.transpose(images, order);
  }
}
