package dev.sublet.runtime.kernel.convolution;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.minus;
import static dev.sublet.runtime.kernel.Indices.modulo;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.ImageAxes;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.Arrays;

/** Convolutions and transposed convolutions of images, with any number of spatial axes. */
public final class ConvolutionLowerings {

  /**
   * What both kinds of convolutions compute with.
   *
   * @param input the images, with channels first
   */
  private record Operands(
      Formula f,
      OperatorCall call,
      ImageAxes layout,
      MicroValue input,
      MicroValue filter,
      long groups) {

    static Operands of(LoweringCall lowering) {
      Formula f = new Formula(lowering.graph());
      OperatorCall call = lowering.call();
      checkPlain(call);
      checkAxes(call);
      ImageAxes layout = ImageAxes.of(call, "data_format", call.shape("Input").length());
      MicroValue input = layout.channelsFirst(f, lowering.in("Input"));
      return new Operands(f, call, layout, input, lowering.in("Filter"), call.integer("groups", 1));
    }

    void checkChannels(long expected) {
      long channels = f.shape(input)[1];
      long[] kernel = f.shape(filter);
      if (groups < 1 || channels != expected || kernel[0] % groups != 0) {
        throw new OperatorException(
            channels
                + " channels for the filter "
                + Arrays.toString(kernel)
                + " in "
                + groups
                + " groups");
      }
    }

    SlidingWindow[] windows() {
      return SlidingWindow.of(call, spatial(f.shape(input)), spatial(f.shape(filter)));
    }
  }

  private ConvolutionLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("conv2d", ConvolutionLowerings::convolution);
    kernels.differentiated("depthwise_conv2d", ConvolutionLowerings::convolution);
    kernels.differentiated("conv3d", ConvolutionLowerings::convolution);
    kernels.differentiated("conv2d_transpose", ConvolutionLowerings::transposed);
    kernels.differentiated("depthwise_conv2d_transpose", ConvolutionLowerings::transposed);
    kernels.differentiated("conv3d_transpose", ConvolutionLowerings::transposed);
  }

  /**
   * Lowers a convolution. {@code Output} is the sum of products of filter and image at every place.
   */
  static void convolution(LoweringCall lowering) {
    Operands operands = Operands.of(lowering);
    Formula f = operands.f();
    long groups = operands.groups();
    operands.checkChannels(f.shape(operands.filter())[1] * groups);
    MicroValue out = convolve(f, operands.input(), operands.filter(), operands.windows(), groups);
    lowering.out("Output", operands.layout().asWas(f, out));
  }

  private static void checkPlain(OperatorCall call) {
    if (call.has("Bias") || call.has("ResidualData")) {
      throw new OperatorException("a bias or residual fused into a convolution");
    }
  }

  /**
   * Checks that the images have a batch and a channel axis, and that the filter has as many axes as
   * the images.
   */
  private static void checkAxes(OperatorCall call) {
    int rank = call.shapeFrom("Input", 3).length();
    call.shape("Filter", rank);
  }

  private static long[] spatial(long[] shape) {
    return Arrays.copyOfRange(shape, 2, shape.length);
  }

  /**
   * Returns the convolution of images with channels first. The loops are: image, (group,) filter,
   * places; channel of the group, kernel.
   */
  public static MicroValue convolve(
      Formula f, MicroValue input, MicroValue filter, SlidingWindow[] windows, long groups) {
    long[] images = f.shape(input);
    long[] kernel = f.shape(filter);
    int axes = windows.length;
    long[] places = Arrays.stream(windows).mapToLong(SlidingWindow::places).toArray();
    long filters = kernel[0] / groups;
    long channels = kernel[1];
    // A single group, or groups of one filter, need no loop of their own.
    boolean grouped = groups > 1 && filters > 1;
    long[] kept =
        Shapes.concat(
            grouped ? new long[] {images[0], groups, filters} : new long[] {images[0], kernel[0]},
            places);
    int firstPlace = kept.length - axes;
    long[] summed = Shapes.concat(new long[] {channels}, spatial(kernel));
    IndexExpression channel = loop(kept.length);
    IndexExpression[] inputAt = new IndexExpression[axes + 2];
    IndexExpression[] filterAt = new IndexExpression[axes + 2];
    inputAt[0] = loop(0);
    inputAt[1] = groups == 1 ? channel : plus(times(loop(1), channels), channel);
    filterAt[0] = grouped ? plus(times(loop(1), filters), loop(2)) : loop(1);
    filterAt[1] = channel;
    for (int i = 0; i < axes; i++) {
      int kernelLoop = kept.length + 1 + i;
      inputAt[i + 2] = windows[i].point(firstPlace + i, kernelLoop);
      filterAt[i + 2] = loop(kernelLoop);
    }
    MicroValue out = f.contract(kept, summed, input, inputAt, filter, filterAt);
    return f.reshape(out, Shapes.concat(new long[] {images[0], kernel[0]}, places));
  }

  /**
   * Lowers a transposed convolution. Each element of the input times the filter is added to the
   * elements of {@code Output} from which a convolution would compute it.
   */
  static void transposed(LoweringCall lowering) {
    Operands operands = Operands.of(lowering);
    Formula f = operands.f();
    MicroValue input = operands.input();
    operands.checkChannels(f.shape(operands.filter())[0]);
    SlidingWindow[] windows = operands.windows();
    long[] extents = transposedExtents(lowering.call(), windows);
    MicroValue out = transpose(f, input, operands.filter(), windows, extents, operands.groups());
    lowering.out("Output", operands.layout().asWas(f, out));
  }

  /**
   * Returns the transposed convolution of images with channels first.
   *
   * @param extents the spatial extents of the result; elements that nothing contributes to are 0
   */
  public static MicroValue transpose(
      Formula f,
      MicroValue input,
      MicroValue filter,
      SlidingWindow[] windows,
      long[] extents,
      long groups) {
    MicroValue images = input;
    SlidingWindow[] spread = windows.clone();
    for (int i = 0; i < windows.length; i++) {
      if (windows[i].stride() > 1 && windows[i].dilation() > 1) {
        images = spreadApart(f, images, i + 2, windows[i].stride());
        spread[i] = apart(windows[i]);
      }
    }
    return transposed(f, images, filter, spread, extents, groups);
  }

  private static long[] transposedExtents(OperatorCall call, SlidingWindow[] windows) {
    long[] extents = new long[windows.length];
    long[] sizes = SlidingWindow.numbers(call, "output_size", windows.length, -1);
    long[] paddings = SlidingWindow.numbers(call, "output_padding", windows.length, 0);
    for (int i = 0; i < extents.length; i++) {
      extents[i] = sizes[i] >= 0 ? sizes[i] : windows[i].transposedExtent() + paddings[i];
    }
    return extents;
  }

  /**
   * Returns the image with zeros between its elements along an axis, so that the stride becomes 1.
   */
  private static MicroValue spreadApart(Formula f, MicroValue x, int axis, long stride) {
    long[] shape = Shapes.with(f.shape(x), axis, (f.shape(x)[axis] - 1) * stride + 1);
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int i = 0; i < shape.length; i++) {
      at[i] = i == axis ? over(loop(i), stride) : loop(i);
    }
    MicroValue repeated = f.reindex(x, shape, at);
    MicroValue between = f.position(shape, modulo(loop(axis), stride));
    return f.graph().choose(f.apply(BinaryOperator.EQUAL, between, 0), repeated, f.number(x, 0));
  }

  private static SlidingWindow apart(SlidingWindow window) {
    return new SlidingWindow(
        (window.extent() - 1) * window.stride() + 1,
        window.kernel(),
        /* stride= */ 1,
        window.dilation(),
        window.before(),
        window.after());
  }

  /**
   * Returns the transposed convolution. The loops are: image, (group,) output channel, places;
   * input channel, kernel.
   *
   * <p>With a stride, only every stride-th point of a kernel contributes to a place. The kernel
   * loop runs over these points only, so that nothing is multiplied by zeros. Places that are a
   * stride apart use the same points. The places therefore have two loops, one over strides and one
   * inside a stride, so that no index needs a division.
   */
  private static MicroValue transposed(
      Formula f,
      MicroValue input,
      MicroValue filter,
      SlidingWindow[] windows,
      long[] extents,
      long groups) {
    long[] images = f.shape(input);
    long[] kernel = f.shape(filter);
    int axes = windows.length;
    long taken = kernel[0] / groups;
    long made = kernel[1];
    boolean grouped = groups > 1 && made > 1;
    long[] leading =
        grouped ? new long[] {images[0], groups, made} : new long[] {images[0], groups * made};
    long[] kept = Shapes.concat(leading, places(windows, extents));
    long[] summed = new long[axes + 1];
    summed[0] = taken;
    IndexExpression channel = loop(kept.length);
    IndexExpression[] inputAt = new IndexExpression[axes + 2];
    IndexExpression[] filterAt = new IndexExpression[axes + 2];
    inputAt[0] = loop(0);
    inputAt[1] = groups == 1 ? channel : plus(times(loop(1), taken), channel);
    filterAt[0] = inputAt[1];
    filterAt[1] = grouped ? loop(2) : groups == 1 ? loop(1) : number(0);
    int place = leading.length;
    for (int i = 0; i < axes; i++) {
      SlidingWindow window = windows[i];
      IndexExpression step = loop(kept.length + 1 + i);
      if (window.stride() == 1) {
        summed[i + 1] = window.kernel();
        IndexExpression at = plus(loop(place), window.before());
        inputAt[i + 2] = minus(at, times(step, window.dilation()));
        filterAt[i + 2] = step;
        place++;
      } else {
        summed[i + 1] = (window.kernel() + window.stride() - 1) / window.stride();
        inputAt[i + 2] = minus(loop(place), step);
        filterAt[i + 2] = plus(loop(place + 1), times(step, window.stride()));
        place += 2;
      }
    }
    MicroValue out = f.contract(kept, summed, input, inputAt, filter, filterAt);
    MicroValue cut = withoutPadding(f, out, leading, windows, extents);
    return f.reshape(cut, Shapes.concat(new long[] {images[0], groups * made}, extents));
  }

  /**
   * Returns the extents of the loops over places. With a stride there are two: the number of moves
   * of the window, and the stride.
   */
  private static long[] places(SlidingWindow[] windows, long[] extents) {
    long[] places = new long[0];
    for (int i = 0; i < windows.length; i++) {
      long stride = windows[i].stride();
      long reached = Math.max(extents[i] + windows[i].before(), 0);
      places =
          stride == 1
              ? Shapes.concat(places, new long[] {extents[i]})
              : Shapes.concat(places, new long[] {(reached + stride - 1) / stride, stride});
    }
    return places;
  }

  /** Returns the places that are inside the image. */
  private static MicroValue withoutPadding(
      Formula f, MicroValue x, long[] leading, SlidingWindow[] windows, long[] extents) {
    IndexExpression[] at = new IndexExpression[f.rank(x)];
    int axis = 0;
    for (; axis < leading.length; axis++) {
      at[axis] = loop(axis);
    }
    for (int i = 0; i < windows.length; i++) {
      IndexExpression own = loop(leading.length + i);
      long stride = windows[i].stride();
      if (stride == 1) {
        at[axis++] = own;
      } else {
        IndexExpression place = plus(own, windows[i].before());
        at[axis++] = over(place, stride);
        at[axis++] = modulo(place, stride);
      }
    }
    boolean isWhole = f.rank(x) == leading.length + windows.length;
    return isWhole ? x : f.reindex(x, Shapes.concat(leading, extents), at);
  }
}
