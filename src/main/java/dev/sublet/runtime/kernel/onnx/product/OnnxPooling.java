package dev.sublet.runtime.kernel.onnx.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.convolution.PoolingWindows;
import dev.sublet.runtime.kernel.convolution.SlidingWindow;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.Quantities;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Pooling: maxima, means and norms of windows, or of whole images. */
public final class OnnxPooling {

  private OnnxPooling() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("AveragePool", OnnxPooling::average);
    family.numbers("LpPool", OnnxPooling::norm);
    family.numbers("MaxPool", OutputTypes.like(0, "0"), OnnxPooling::maximum);
    family.numbers("com.microsoft.NhwcMaxPool", OnnxPooling::maximumChannelsLast);
    family.numbers("GlobalAveragePool", lowering -> whole(lowering, Reduction.MEAN));
    family.numbers("GlobalMaxPool", lowering -> whole(lowering, Reduction.MAXIMUM));
    family.numbers("GlobalLpPool", OnnxPooling::wholeNorm);
    family.lowered(
        "com.microsoft.QLinearAveragePool",
        Use.MOVES,
        OutputTypes.asComputed(),
        OnnxPooling::quantizedAverage);
    family.lowered(
        "com.microsoft.QLinearGlobalAveragePool",
        Use.MOVES,
        OutputTypes.asComputed(),
        OnnxPooling::quantizedWholeAverage);
  }

  private static PoolingWindows windows(Formula f, OperatorCall call, MicroValue x) {
    long[] images = ImageWindows.spatial(f.shape(x));
    SlidingWindow[] windows = ImageWindows.of(call, images, ImageWindows.kernels(call));
    boolean roundsUp = call.flag("ceil_mode", false);
    long[] places = new long[images.length];
    for (int i = 0; i < places.length; i++) {
      // As in ONNX Runtime, a last window may lie in the padding as a whole.
      places[i] = roundsUp ? windows[i].placesRoundedUp() : windows[i].places();
    }
    return PoolingWindows.of(windows, places);
  }

  /** Returns the axes of the windows' points among the axes of their elements. */
  private static int[] points(Formula f, MicroValue images) {
    int rank = f.rank(images);
    return Shapes.range(rank, 2 * rank - 2);
  }

  private static MicroValue sum(Formula f, MicroValue x, PoolingWindows windows) {
    return f.reduceAway(Reduction.SUM, windows.elements(f, x, 0), points(f, x));
  }

  private static void average(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    lowering.out("0", mean(f, lowering.call(), x));
  }

  private static MicroValue mean(Formula f, OperatorCall call, MicroValue x) {
    PoolingWindows windows = windows(f, call, x);
    MicroValue sum = sum(f, x, windows);
    if (call.flag("count_include_pad", false)) {
      // As in ONNX Runtime, points after the padding count too.
      return f.over(sum, (double) Shapes.count(windows.kernels()));
    }
    MicroValue ones = f.filled(f.type(x), 1, Shapes.with(Shapes.with(f.shape(x), 0, 1), 1, 1));
    return f.over(sum, f.stretch(sum(f, ones, windows), f.shape(sum)));
  }

  private static void norm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    double p = lowering.call().real("p", 2);
    PoolingWindows windows = windows(f, lowering.call(), x);
    lowering.out("0", root(f, sum(f, powers(f, x, p), windows), p));
  }

  /** Returns |x|^p. */
  public static MicroValue powers(Formula f, MicroValue x, double p) {
    if (p == 2) {
      return f.square(x);
    }
    MicroValue absolute = f.apply(UnaryOperator.ABSOLUTE, x);
    return p == 1 ? absolute : f.apply(BinaryOperator.POWER, absolute, p);
  }

  /** Returns the p-th roots. */
  public static MicroValue root(Formula f, MicroValue x, double p) {
    if (p == 2) {
      return f.sqrt(x);
    }
    return p == 1 ? x : f.apply(BinaryOperator.POWER, x, 1 / p);
  }

  private static void maximumChannelsLast(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = OnnxConvolutions.channelsFirst(f, lowering.in("0"), /* isLast= */ true);
    MicroValue out = maximum(f, x, windows(f, lowering.call(), x));
    lowering.out("0", OnnxConvolutions.channelsAsWere(f, out, /* isLast= */ true));
  }

  /** Returns the maxima; the least number of the type for a window in the padding. */
  private static MicroValue maximum(Formula f, MicroValue x, PoolingWindows windows) {
    MicroValue elements = windows.elements(f, x, least(f, x));
    return f.reduceAway(Reduction.MAXIMUM, elements, points(f, x));
  }

  private static double least(Formula f, MicroValue x) {
    return switch (f.type(x)) {
      case FLOAT32 -> -Float.MAX_VALUE;
      case FLOAT64 -> -Double.MAX_VALUE;
      case INT64 -> Long.MIN_VALUE;
      default -> Integer.MIN_VALUE;
    };
  }

  /** Lowers MaxPool. Output 1 are the positions of the maxima among all elements. */
  private static void maximum(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    PoolingWindows windows = windows(f, call, x);
    lowering.out("0", maximum(f, x, windows));
    if (call.wants("1")) {
      MicroValue elements = windows.elements(f, x, least(f, x));
      MicroValue first = f.reduceAway(Reduction.ARGMAX, elements, points(f, x));
      boolean isColumnMajor = call.integer("storage_order", 0) == 1;
      lowering.out("1", positions(f, first, windows, f.shape(x), isColumnMajor));
    }
  }

  /** Converts positions in windows to positions among all elements of images. */
  private static MicroValue positions(
      Formula f, MicroValue first, PoolingWindows windows, long[] images, boolean isColumnMajor) {
    long[] shape = f.shape(first);
    long[] kernels = windows.kernels();
    IndexExpression image =
        Indices.plus(Indices.times(Indices.loop(0), images[1]), Indices.loop(1));
    long elements = Shapes.count(images, 2, images.length);
    MicroValue place = f.position(shape, Indices.times(image, elements));
    MicroValue rest = first;
    for (int i = kernels.length - 1; i >= 0; i--) {
      MicroValue point = f.apply(BinaryOperator.MODULO, rest, kernels[i]);
      MicroValue index =
          f.plus(
              f.times(point, windows.windows()[i].dilation()),
              f.position(shape, windows.begin(i, i + 2)));
      long weight =
          isColumnMajor
              ? Shapes.count(images, 2, i + 2)
              : Shapes.count(images, i + 3, images.length);
      place = f.plus(f.times(index, weight), place);
      rest = f.over(rest, kernels[i]);
    }
    return place;
  }

  private static int[] spatialAxes(Formula f, MicroValue x) {
    Shapes.ofRankFrom(2, f.shape(x), "input 0");
    return Shapes.range(2, f.rank(x));
  }

  private static void whole(LoweringCall lowering, Reduction reduction) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    lowering.out("0", f.reduce(reduction, x, spatialAxes(f, x)));
  }

  private static void wholeNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    double p = lowering.call().real("p", 2);
    MicroValue sum = f.reduce(Reduction.SUM, powers(f, x, p), spatialAxes(f, x));
    lowering.out("0", root(f, sum, p));
  }

  /**
   * Lowers QLinearAveragePool: the mean of the numbers, in FLOAT32. Inputs: the images, their scale
   * and zero point, the scale and zero point of the result.
   */
  private static void quantizedAverage(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    boolean isLast = call.flag("channels_last", false);
    MicroValue x = OnnxConvolutions.channelsFirst(f, lowering.in("0"), isLast);
    MicroValue centered = Quantities.centered(f, x, zeroPoint(lowering, f, "2"));
    MicroValue scale = OnnxOperands.single(f, lowering.in("1"));
    MicroValue mean = mean(f, call, f.times(f.as(ElementType.FLOAT32, centered), scale));
    MicroValue numbers = f.over(mean, OnnxOperands.single(f, lowering.in("3")));
    MicroValue out = Quantities.storedAfterShift(f, numbers, zeroPoint(lowering, f, "4"));
    lowering.out("0", OnnxConvolutions.channelsAsWere(f, out, isLast));
  }

  /** Returns a zero point in the type of input 0; 0 by default. */
  private static MicroValue zeroPoint(LoweringCall lowering, Formula f, String slot) {
    return lowering.call().has(slot)
        ? OnnxOperands.single(f, lowering.in(slot))
        : f.filled(f.type(lowering.in("0")), 0);
  }

  private static void quantizedWholeAverage(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    boolean isLast = lowering.call().flag("channels_last", false);
    MicroValue x = OnnxConvolutions.channelsFirst(f, lowering.in("0"), isLast);
    MicroValue centered = Quantities.centered(f, x, zeroPoint(lowering, f, "2"));
    MicroValue sum = f.reduce(Reduction.SUM, centered, spatialAxes(f, x));
    double count = Shapes.count(f.shape(x), 2, f.rank(x));
    MicroValue target = f.times(OnnxOperands.single(f, lowering.in("3")), count);
    MicroValue factor = f.over(OnnxOperands.single(f, lowering.in("1")), target);
    MicroValue numbers = f.times(f.as(ElementType.FLOAT32, sum), factor);
    MicroValue out = Quantities.stored(f, numbers, zeroPoint(lowering, f, "4"));
    lowering.out("0", OnnxConvolutions.channelsAsWere(f, out, isLast));
  }
}
