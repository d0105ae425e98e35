package dev.sublet.runtime.kernel.convolution;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.ir.IndexExpression;
import java.util.List;

/**
 * A window that slides along one axis of images.
 *
 * @param extent the extent of the image
 * @param kernel the number of points of the window
 * @param stride the distance between adjacent places of the window
 * @param dilation the distance between adjacent points of the window
 * @param before the padding at the beginning of the image
 * @param after the padding at the end of the image
 */
public record SlidingWindow(
    long extent, long kernel, long stride, long dilation, long before, long after) {

  /** Throws {@link OperatorException} if the stride or the dilation is less than one. */
  public SlidingWindow {
    if (stride < 1 || dilation < 1) {
      throw new OperatorException("stride " + stride + ", dilation " + dilation);
    }
  }

  /**
   * Returns the windows that the attributes {@code strides}, {@code dilations}, {@code paddings}
   * and {@code padding_algorithm} describe, one per axis.
   *
   * @param images the spatial extents
   * @param kernels the number of points of the window, per axis
   */
  public static SlidingWindow[] of(OperatorCall call, long[] images, long[] kernels) {
    int axes = images.length;
    if (kernels.length != axes) {
      throw new OperatorException(
          "windows of " + kernels.length + " axes for images of " + axes + " axes");
    }
    String algorithm = call.text("padding_algorithm", "EXPLICIT");
    long[] strides = numbers(call, "strides", axes, 1);
    long[] dilations = numbers(call, "dilations", axes, 1);
    long[] paddings = paddings(call, axes);
    SlidingWindow[] windows = new SlidingWindow[axes];
    for (int i = 0; i < axes; i++) {
      windows[i] =
          switch (algorithm) {
            case "SAME" -> same(images[i], kernels[i], strides[i]);
            case "VALID" ->
                new SlidingWindow(images[i], kernels[i], strides[i], dilations[i], 0, 0);
            default ->
                new SlidingWindow(
                    images[i],
                    kernels[i],
                    strides[i],
                    dilations[i],
                    paddings[2 * i],
                    paddings[2 * i + 1]);
          };
    }
    return windows;
  }

  /**
   * Returns the window for {@code padding_algorithm} SAME: it has ⌈extent / stride⌉ places. If the
   * padding is odd, the extra element is at the end.
   */
  private static SlidingWindow same(long extent, long kernel, long stride) {
    long places = stride < 1 ? 0 : (extent + stride - 1) / stride;
    long padding = Math.max((places - 1) * stride + kernel - extent, 0);
    return new SlidingWindow(
        extent, kernel, stride, /* dilation= */ 1, padding / 2, padding - padding / 2);
  }

  /** Returns one number per axis from an attribute. A single number applies to all axes. */
  public static long[] numbers(OperatorCall call, String attribute, int axes, long absent) {
    List<Long> given = call.integers(attribute);
    if (given.size() > 1 && given.size() != axes) {
      throw new OperatorException("attribute " + attribute + " is " + given);
    }
    long[] numbers = new long[axes];
    for (int i = 0; i < axes; i++) {
      numbers[i] = given.isEmpty() ? absent : given.get(given.size() == 1 ? 0 : i);
    }
    return numbers;
  }

  /** Returns two paddings per axis, before and after. */
  private static long[] paddings(OperatorCall call, int axes) {
    List<Long> given = call.integers("paddings");
    if (given.size() == 2 * axes) {
      return given.stream().mapToLong(Long::longValue).toArray();
    }
    long[] each = numbers(call, "paddings", axes, 0);
    long[] both = new long[2 * axes];
    for (int i = 0; i < both.length; i++) {
      both[i] = each[i / 2];
    }
    return both;
  }

  /** Returns the distance from the window's first point to its last, both included. */
  public long reach() {
    return (kernel - 1) * dilation + 1;
  }

  /** Returns the number of places of the window. */
  public long places() {
    return positive((extent + before + after - reach()) / stride + 1);
  }

  /**
   * Returns the number of places, including places where the window ends after the padded image.
   */
  public long placesRoundedUp() {
    return positive((extent + before + after - reach() + stride - 1) / stride + 1);
  }

  private long positive(long places) {
    if (places < 1 || reach() > extent + before + after) {
      throw new OperatorException(
          "a window of "
              + reach()
              + " in an image of "
              + extent
              + " padded by "
              + before
              + ", "
              + after);
    }
    return places;
  }

  /**
   * Returns the extent of an image for which the window has as many places as this image has
   * points.
   */
  public long transposedExtent() {
    return (extent - 1) * stride + reach() - before - after;
  }

  /** Returns the index in the image of a point of a window. The index may be outside the image. */
  public IndexExpression point(int placeLoop, int kernelLoop) {
    return plus(plus(times(loop(placeLoop), stride), times(loop(kernelLoop), dilation)), -before);
  }
}
