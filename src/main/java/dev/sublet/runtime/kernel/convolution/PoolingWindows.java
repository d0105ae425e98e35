package dev.sublet.runtime.kernel.convolution;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.minus;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * The windows of a pooling operator along each spatial axis, for images with channels first:
 * sliding windows, or a given number of windows that divide the image as evenly as possible ({@code
 * adaptive}).
 *
 * <p>If o adaptive windows share an extent e, window p spans ⌊p·e/o⌋ to ⌈(p+1)·e/o⌉. If o divides
 * e, these are sliding windows.
 */
public final class PoolingWindows {

  private final SlidingWindow[] windows;
  private final long[] places;
  private final boolean shares;

  private PoolingWindows(SlidingWindow[] windows, long[] places, boolean shares) {
    this.windows = windows;
    this.places = places;
    this.shares = shares;
  }

  /**
   * Returns the windows that the attributes describe: {@code ksize}, {@code global_pooling}, {@code
   * adaptive}, {@code ceil_mode}, and the attributes of {@link SlidingWindow#of}.
   *
   * @param images the spatial extents
   */
  static PoolingWindows of(OperatorCall call, long[] images) {
    return of(call, images, call.flag("adaptive", false));
  }

  /**
   * Returns the windows for the maxima of {@code pool2d}. With {@code adaptive}, Paddle 2.3 uses
   * the adaptive number of places, but slides windows of {@code ksize} by {@code strides}.
   */
  static PoolingWindows ofMaxima(OperatorCall call, long[] images) {
    if (!call.flag("adaptive", false) || call.flag("global_pooling", false)) {
      return of(call, images, /* adaptive= */ false);
    }
    long[] places = SlidingWindow.numbers(call, "ksize", images.length, 1);
    long[] strides = SlidingWindow.numbers(call, "strides", images.length, 1);
    SlidingWindow[] windows = new SlidingWindow[images.length];
    for (int i = 0; i < windows.length; i++) {
      windows[i] = new SlidingWindow(images[i], places[i], strides[i], 1, 0, 0);
    }
    return new PoolingWindows(windows, places, /* shares= */ false);
  }

  /** Returns given windows with a given number of places along each axis. */
  public static PoolingWindows of(SlidingWindow[] windows, long[] places) {
    return new PoolingWindows(windows, places, /* shares= */ false);
  }

  private static PoolingWindows of(OperatorCall call, long[] images, boolean adaptive) {
    boolean isGlobal = call.flag("global_pooling", false);
    long[] sizes = isGlobal ? images : SlidingWindow.numbers(call, "ksize", images.length, 1);
    if (adaptive) {
      return sharing(images, sizes);
    }
    SlidingWindow[] windows;
    if (isGlobal) {
      windows = new SlidingWindow[images.length];
      for (int i = 0; i < images.length; i++) {
        windows[i] = new SlidingWindow(images[i], images[i], images[i], 1, 0, 0);
      }
    } else {
      for (long size : sizes) {
        if (size < 1) {
          throw new OperatorException("a ksize of " + size);
        }
      }
      windows = SlidingWindow.of(call, images, sizes);
    }
    boolean roundsUp = call.flag("ceil_mode", false);
    long[] places =
        Arrays.stream(windows)
            .mapToLong(w -> roundsUp ? w.placesRoundedUp() : w.places())
            .toArray();
    return new PoolingWindows(windows, places, /* shares= */ false);
  }

  private static PoolingWindows sharing(long[] images, long[] places) {
    SlidingWindow[] windows = new SlidingWindow[images.length];
    boolean evenly = true;
    for (int i = 0; i < windows.length; i++) {
      long extent = images[i];
      if (places[i] < 1 || extent < 1) {
        throw new OperatorException(places[i] + " windows that share " + extent);
      }
      evenly &= extent % places[i] == 0;
      long largest = 0;
      for (long p = 0; p < places[i]; p++) {
        long end = ((p + 1) * extent + places[i] - 1) / places[i];
        largest = Math.max(largest, end - p * extent / places[i]);
      }
      windows[i] = new SlidingWindow(extent, largest, Math.max(largest, 1), 1, 0, 0);
    }
    return new PoolingWindows(windows, places.clone(), !evenly);
  }

  /**
   * Returns the sliding windows. For windows that share an image, the extents are those of the
   * largest window.
   */
  public SlidingWindow[] windows() {
    return windows;
  }

  /** Returns the number of places along each axis. */
  public long[] places() {
    return places;
  }

  /** Whether the windows share the image and have different extents. */
  boolean shares() {
    return shares;
  }

  /** Returns the extents of the windows. */
  public long[] kernels() {
    return Arrays.stream(windows).mapToLong(SlidingWindow::kernel).toArray();
  }

  /** Whether a padding before the image is negative, so that windows begin inside. O(axes). */
  boolean crops() {
    return Arrays.stream(windows).anyMatch(window -> window.before() < 0);
  }

  /**
   * Whether some window contains no element of the image, as with a padding that is not smaller
   * than the window. O(places along each axis).
   */
  boolean areSomeOutside() {
    for (int i = 0; i < windows.length && !shares; i++) {
      for (long place = 0; place < places[i]; place++) {
        long begin = place * windows[i].stride() - windows[i].before();
        if (begin >= windows[i].extent() || begin + windows[i].kernel() <= 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the index at which the window of a place begins. */
  public IndexExpression begin(int axis, int placeLoop) {
    return shares
        ? over(times(loop(placeLoop), windows[axis].extent()), places[axis])
        : plus(times(loop(placeLoop), windows[axis].stride()), -windows[axis].before());
  }

  private IndexExpression sharedEnd(int axis, int placeLoop) {
    IndexExpression next = times(plus(loop(placeLoop), 1), windows[axis].extent());
    return over(plus(next, places[axis] - 1), places[axis]);
  }

  /**
   * Returns the elements of all windows, with the axes image, channel, places, kernel.
   *
   * @param outside the value for points of a window that are not in the image
   */
  public MicroValue elements(Formula f, MicroValue images, double outside) {
    long[] shape = f.shape(images);
    int axes = windows.length;
    long[] all = Shapes.concat(new long[] {shape[0], shape[1]}, places, kernels());
    IndexExpression[] at = new IndexExpression[shape.length];
    at[0] = loop(0);
    at[1] = loop(1);
    for (int i = 0; i < axes; i++) {
      at[i + 2] = plus(begin(i, i + 2), times(loop(i + 2 + axes), windows[i].dilation()));
    }
    MicroValue elements =
        f.graph().reindex(images, Shapes.constants(all), ImmutableList.copyOf(at), outside);
    return shares ? within(f, elements, at, outside) : elements;
  }

  /**
   * Replaces points after the end of a window by {@code outside}, because windows that share an
   * image have different extents.
   */
  private MicroValue within(Formula f, MicroValue elements, IndexExpression[] at, double outside) {
    MicroValue result = elements;
    long[] all = f.shape(elements);
    for (int i = 0; i < windows.length; i++) {
      MicroValue left = f.position(all, minus(sharedEnd(i, i + 2), at[i + 2]));
      MicroValue isInside = f.apply(BinaryOperator.GREATER, left, 0);
      result = f.graph().choose(isInside, result, f.number(elements, outside));
    }
    return result;
  }

  /**
   * Returns the divisor of each window's mean: a number if all divisors are equal, otherwise a
   * tensor in the shape of the places.
   *
   * @param exclusive whether points in the padding are not counted
   */
  MicroValue counts(Formula f, ElementType type, boolean exclusive) {
    long number = 1;
    for (int i = 0; i < windows.length; i++) {
      ImmutableLongArray counts = counts(i, exclusive);
      long first = counts.get(0);
      if (!counts.stream().allMatch(count -> count == first)) {
        return countTensor(f, type, exclusive);
      }
      number *= first;
    }
    return f.graph().scalar(type, (double) number);
  }

  private ImmutableLongArray counts(int axis, boolean exclusive) {
    SlidingWindow window = windows[axis];
    ImmutableLongArray.Builder counts = ImmutableLongArray.builder();
    for (long p = 0; p < places[axis]; p++) {
      long begin = p * window.stride() - window.before();
      long end = Math.min(begin + window.kernel(), window.extent() + window.before());
      if (shares) {
        begin = p * window.extent() / places[axis];
        end = ((p + 1) * window.extent() + places[axis] - 1) / places[axis];
      }
      counts.add(exclusive ? Math.min(end, window.extent()) - Math.max(begin, 0) : end - begin);
    }
    return counts.build();
  }

  private MicroValue countTensor(Formula f, ElementType type, boolean exclusive) {
    MicroValue product = f.graph().scalar(ElementType.INT64, 1L);
    for (int i = 0; i < windows.length; i++) {
      MicroValue begin = f.position(places, begin(i, i));
      MicroValue end;
      if (shares) {
        end = f.position(places, sharedEnd(i, i));
      } else {
        end = f.position(places, plus(begin(i, i), windows[i].kernel()));
        long limit = windows[i].extent() + (exclusive ? 0 : windows[i].before());
        end = f.apply(BinaryOperator.MINIMUM, end, limit);
      }
      begin = exclusive ? f.apply(BinaryOperator.MAXIMUM, begin, 0) : begin;
      product = f.times(f.minus(end, begin), product);
    }
    return f.graph().cast(type, product);
  }
}
