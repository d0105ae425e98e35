package dev.sublet.runtime.kernel.onnx.product;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.convolution.SlidingWindow;
import java.util.Arrays;

/**
 * The windows of convolutions and poolings by the attributes {@code kernel_shape}, {@code strides},
 * {@code dilations}, {@code pads} and {@code auto_pad}. O(axes) throughout.
 */
public final class ImageWindows {

  private ImageWindows() {}

  /** Returns the extents of the window by the attribute. */
  public static long[] kernels(OperatorCall call) {
    long[] kernels = IntegerArguments.attribute(call, "kernel_shape");
    if (Arrays.stream(kernels).anyMatch(extent -> extent < 1)) {
      throw new OperatorException("a kernel_shape of " + Arrays.toString(kernels));
    }
    return kernels;
  }

  /** Returns the spatial extents of a filter, which the attribute may repeat. */
  public static long[] kernels(OperatorCall call, long[] filter) {
    long[] kernels = kernels(call);
    long[] own = spatial(filter);
    if (kernels.length > 0 && !Arrays.equals(kernels, own)) {
      throw new OperatorException(
          "kernel_shape " + Arrays.toString(kernels) + " for filters " + Arrays.toString(filter));
    }
    return own;
  }

  /** Returns the extents of images without batch and channels. */
  public static long[] spatial(long[] shape) {
    return Arrays.copyOfRange(Shapes.ofRankFrom(3, shape, "input 0"), 2, shape.length);
  }

  /** Returns one window per axis. */
  public static SlidingWindow[] of(OperatorCall call, long[] images, long[] kernels) {
    int axes = images.length;
    IntegerArguments.exactly(axes, kernels, "kernel_shape");
    long[] strides = SlidingWindow.numbers(call, "strides", axes, 1);
    long[] dilations = SlidingWindow.numbers(call, "dilations", axes, 1);
    long[] pads = pads(call, axes);
    String padding = call.text("auto_pad", "NOTSET");
    SlidingWindow[] windows = new SlidingWindow[axes];
    for (int i = 0; i < axes; i++) {
      long reach = (kernels[i] - 1) * dilations[i] + 1;
      if (strides[i] < 1) {
        throw new OperatorException("a stride of " + strides[i]);
      }
      long places = (images[i] + strides[i] - 1) / strides[i];
      long needed = Math.max((places - 1) * strides[i] + reach - images[i], 0);
      long before =
          switch (padding) {
            case "VALID" -> 0;
            case "SAME_UPPER" -> needed / 2;
            case "SAME_LOWER" -> (needed + 1) / 2;
            default -> pads[i];
          };
      long after =
          switch (padding) {
            case "VALID" -> 0;
            case "SAME_UPPER", "SAME_LOWER" -> needed - before;
            default -> pads[axes + i];
          };
      windows[i] =
          new SlidingWindow(images[i], kernels[i], strides[i], dilations[i], before, after);
    }
    return windows;
  }

  private static long[] pads(OperatorCall call, int axes) {
    long[] pads = IntegerArguments.attribute(call, "pads");
    return pads.length == 0 ? new long[2 * axes] : IntegerArguments.exactly(2 * axes, pads, "pads");
  }

  /**
   * A transposed convolution's windows and the spatial extents of its result.
   *
   * @param windows the windows that slide over the result
   * @param extents the extents of the result
   */
  public record Transposed(ImmutableList<SlidingWindow> windows, ImmutableLongArray extents) {

    /** Reads also the attributes {@code output_shape} and {@code output_padding}. */
    static Transposed of(OperatorCall call, long[] images, long[] kernels) {
      int axes = images.length;
      IntegerArguments.exactly(axes, kernels, "kernel_shape");
      long[] strides = SlidingWindow.numbers(call, "strides", axes, 1);
      long[] dilations = SlidingWindow.numbers(call, "dilations", axes, 1);
      long[] added = SlidingWindow.numbers(call, "output_padding", axes, 0);
      long[] given = IntegerArguments.attribute(call, "output_shape");
      long[] pads = pads(call, axes);
      if (given.length > 0 && given.length != axes && given.length != axes + 2) {
        throw new OperatorException(
            "output_shape has " + given.length + " numbers for " + axes + " axes");
      }
      String padding = call.text("auto_pad", "NOTSET");
      long[] extents = new long[axes];
      SlidingWindow[] windows = new SlidingWindow[axes];
      for (int i = 0; i < axes; i++) {
        long whole = (images[i] - 1) * strides[i] + added[i] + (kernels[i] - 1) * dilations[i] + 1;
        boolean isSame = padding.startsWith("SAME");
        long before = padding.equals("VALID") ? 0 : pads[i];
        long after = padding.equals("VALID") ? 0 : pads[axes + i];
        extents[i] = whole - before - after;
        if (given.length > 0 && given.length < axes) {
          throw new OperatorException("output_shape has " + given.length + " of " + axes + " axes");
        }
        if (given.length > 0 || isSame) {
          long wanted = given.length > 0 ? given[given.length - axes + i] : images[i] * strides[i];
          long cut = Math.max(whole - wanted, 0);
          extents[i] = given.length > 0 ? wanted : whole - cut;
          before = padding.equals("SAME_UPPER") ? cut / 2 : cut - cut / 2;
          after = cut - before;
        }
        windows[i] =
            new SlidingWindow(images[i], kernels[i], strides[i], dilations[i], before, after);
      }
      return new Transposed(ImmutableList.copyOf(windows), ImmutableLongArray.copyOf(extents));
    }
  }
}
