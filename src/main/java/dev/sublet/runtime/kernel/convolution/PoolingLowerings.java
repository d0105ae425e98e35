package dev.sublet.runtime.kernel.convolution;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.ImageAxes;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/** Pooling: the maximum of each window, its position, or the mean of each window. */
public final class PoolingLowerings {

  /** The initial value of a maximum in Paddle, also the result for a window without elements. */
  static final double LEAST = -Float.MAX_VALUE;

  private PoolingLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("pool2d", PoolingLowerings::pool, PoolingLowerings::smoothPool);
    kernels.differentiated("pool3d", PoolingLowerings::pool, PoolingLowerings::smoothPool);
    kernels.differentiated(
        "max_pool2d_with_index",
        PoolingLowerings::maximumAndPosition,
        PoolingLowerings::elementsAtPositions);
    kernels.differentiated(
        "max_pool3d_with_index",
        PoolingLowerings::maximumAndPosition,
        PoolingLowerings::elementsAtPositions);
  }

  /** Lowers a pooling operator: {@code Out} is the maximum or the mean, by {@code pooling_type}. */
  static void pool(LoweringCall lowering) {
    pool(lowering, PoolingLowerings::maximum);
  }

  /**
   * Lowers a pooling operator such that the derivative of a maximum goes only to the first of equal
   * maxima, as in Paddle.
   */
  static void smoothPool(LoweringCall lowering) {
    pool(lowering, PoolingLowerings::firstMaximum);
  }

  /** A function of the windows of a tensor. */
  private interface Pooling {
    MicroValue pool(Formula f, MicroValue x, PoolingWindows windows);
  }

  private static void pool(LoweringCall lowering, Pooling maximum) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    ImageAxes layout = ImageAxes.of(call, "data_format", call.shape("X").length());
    MicroValue x = layout.channelsFirst(f, lowering.in("X"));
    String type = call.text("pooling_type", "");
    MicroValue out =
        switch (type) {
          case "max" -> maximum.pool(f, x, uncropped(call, spatial(f.shape(x))));
          case "avg" -> mean(f, x, PoolingWindows.of(call, spatial(f.shape(x))), call);
          default -> throw new OperatorException("pooling_type " + type);
        };
    lowering.out("Out", layout.asWas(f, out));
  }

  private static PoolingWindows uncropped(OperatorCall call, long[] images) {
    PoolingWindows windows = PoolingWindows.ofMaxima(call, images);
    if (windows.crops()) {
      throw new OperatorException("a maximum over windows with a negative padding");
    }
    return windows;
  }

  private static MicroValue maximum(Formula f, MicroValue x, PoolingWindows windows) {
    return f.reduceAway(Reduction.MAXIMUM, windows.elements(f, x, LEAST), inner(f, x));
  }

  /** Returns the maxima as sums over each window whose only nonzero term is the first maximum. */
  private static MicroValue firstMaximum(Formula f, MicroValue x, PoolingWindows windows) {
    MicroValue elements = windows.elements(f, x, LEAST);
    int[] inner = inner(f, x);
    long[] shape = f.shape(elements);
    MicroValue first = f.stretch(f.graph().reduce(Reduction.ARGMAX, elements, inner), shape);
    IndexExpression place = Indices.loop(inner[0]);
    for (int i = 1; i < inner.length; i++) {
      place = Indices.plus(Indices.times(place, shape[inner[i]]), Indices.loop(inner[i]));
    }
    MicroValue here = f.apply(BinaryOperator.EQUAL, f.position(shape, place), first);
    MicroValue terms = f.graph().choose(here, elements, f.number(x, 0));
    return f.reduceAway(Reduction.SUM, terms, inner);
  }

  private static MicroValue mean(
      Formula f, MicroValue x, PoolingWindows windows, OperatorCall call) {
    MicroValue sum = f.reduceAway(Reduction.SUM, windows.elements(f, x, 0), inner(f, x));
    boolean exclusive = call.flag("exclusive", true) || call.flag("adaptive", false);
    if (!exclusive && windows.crops()) {
      throw new OperatorException("a mean over windows with a negative padding");
    }
    MicroValue counts = windows.counts(f, f.type(x), exclusive);
    if (f.rank(counts) > 0) {
      counts = f.along(counts, f.shape(sum), Shapes.range(2, f.rank(sum)));
    }
    return f.over(sum, counts);
  }

  /** Lowers {@code Out} and {@code Mask}: the maxima, and their positions in their images. */
  static void maximumAndPosition(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] images = spatial(f.shape(x));
    PoolingWindows windows = PoolingWindows.of(lowering.call(), images);
    MicroValue elements = windows.elements(f, x, LEAST);
    MicroValue maximum = f.reduceAway(Reduction.MAXIMUM, elements, inner(f, x));
    lowering.out("Out", maximum);
    MicroValue rest = f.reduceAway(Reduction.ARGMAX, elements, inner(f, x));
    // Convert the row-major position in the window to one in the image, from the last axis on.
    MicroValue place = f.graph().scalar(ElementType.INT64, 0L);
    long[] shape = f.shape(rest);
    long[] kernels = windows.kernels();
    for (int i = images.length - 1; i >= 0; i--) {
      MicroValue point = f.apply(BinaryOperator.MODULO, rest, kernels[i]);
      point = f.plus(point, f.position(shape, windows.begin(i, i + 2)));
      long weight = Shapes.count(images, i + 1, images.length);
      place = f.plus(f.times(point, weight), place);
      rest = f.over(rest, kernels[i]);
    }
    // Paddle returns -1 for a window without elements of the image.
    MicroValue isFound = f.apply(BinaryOperator.GREATER, maximum, LEAST);
    MicroValue found = f.graph().choose(isFound, place, f.number(place, -1));
    lowering.out("Mask", f.graph().cast(ElementType.INT32, found));
  }

  /**
   * Lowers {@code Out} by the positions in {@code Mask}, for the gradient operator. Of x only the
   * shape is needed.
   */
  private static void elementsAtPositions(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    if (PoolingWindows.of(lowering.call(), spatial(shape)).areSomeOutside()) {
      throw new OperatorException(
          "windows outside of the image, for which Paddle's gradient writes before the image");
    }
    MicroValue mask = lowering.in("Mask");
    long[] places = f.shape(mask);
    MicroValue images = f.reshape(x, shape[0], shape[1], Shapes.count(spatial(shape)));
    MicroValue flat = f.reshape(mask, shape[0], shape[1], Shapes.count(spatial(places)));
    lowering.out("Out", f.reshape(f.graph().select(2, images, flat), places));
  }

  private static long[] spatial(long[] shape) {
    return Arrays.copyOfRange(shape, 2, shape.length);
  }

  /** Returns the axes of the windows' points in the result of {@link PoolingWindows#elements}. */
  private static int[] inner(Formula f, MicroValue images) {
    int rank = f.rank(images);
    return Shapes.range(rank, 2 * rank - 2);
  }
}
