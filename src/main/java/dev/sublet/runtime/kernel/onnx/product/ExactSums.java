package dev.sublet.runtime.kernel.onnx.product;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.modulo;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.convolution.ConvolutionLowerings;
import dev.sublet.runtime.kernel.convolution.SlidingWindow;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * Products and convolutions of integers from -255 to 255 that are computed in FLOAT32, which is
 * many times as fast as INT32. FLOAT32 sums of up to 258 products are exact, because 258 · 255²
 * &lt; 2^24; sums of more products are the INT32 sums of such parts.
 */
public final class ExactSums {

  /** The number of products whose sum is exact. */
  private static final long MOST = (1 << 24) / (255 * 255);

  private ExactSums() {}

  /** Returns integers as FLOAT32 numbers in a tensor of their own, which fast products need. */
  private static MicroValue numbers(Formula f, MicroValue integers) {
    // The sum with 0 keeps the conversion out of the innermost loop of the product.
    return f.plus(f.as(ElementType.FLOAT32, integers), 0.0);
  }

  /** Returns the product of matrices, or of batches that broadcast, as INT32. */
  public static MicroValue product(Formula f, MicroValue a, MicroValue b) {
    int rank = Math.max(f.rank(a), f.rank(b));
    if (Math.min(f.rank(a), f.rank(b)) < 2) {
      return OnnxProducts.product(f, f.as(ElementType.INT32, a), f.as(ElementType.INT32, b));
    }
    MicroValue left = numbers(f, a);
    MicroValue right = numbers(f, b);
    long inner = f.shape(a)[f.rank(a) - 1];
    boolean isShort = inner <= MOST || inner != f.shape(b)[f.rank(b) - 2];
    if (!isShort) {
      left = parts(f, left, rank, rank - 1);
      right = parts(f, right, rank, rank - 2);
    }
    MicroValue sums = f.as(ElementType.INT32, OnnxProducts.product(f, left, right));
    return isShort ? sums : f.reduceAway(Reduction.SUM, sums, 0);
  }

  /** Divides an axis into parts, which become a new first axis; the last part ends with zeros. */
  private static MicroValue parts(Formula f, MicroValue x, int rank, int axis) {
    long[] ones = new long[rank - f.rank(x)];
    Arrays.fill(ones, 1);
    long[] whole = Shapes.concat(ones, f.shape(x));
    long count = (whole[axis] + MOST - 1) / MOST;
    long part = (whole[axis] + count - 1) / count;
    long[] shape = Shapes.concat(new long[] {count}, Shapes.with(whole, axis, part));
    IndexExpression[] at = new IndexExpression[rank];
    for (int i = 0; i < rank; i++) {
      at[i] = i == axis ? plus(times(loop(0), part), loop(i + 1)) : loop(i + 1);
    }
    return f.reindex(f.reshape(x, whole), shape, at);
  }

  /** Returns the convolution of images and filters, with channels first, as INT32. */
  static MicroValue convolution(
      Formula f, MicroValue images, MicroValue filters, SlidingWindow[] windows, long groups) {
    long[] filter = f.shape(filters);
    long points = Shapes.count(filter, 2, filter.length);
    long part = Math.min(MOST / Math.max(points, 1), filter[1]);
    if (part == filter[1]) {
      MicroValue sums =
          ConvolutionLowerings.convolve(
              f, numbers(f, images), numbers(f, filters), windows, groups);
      return f.as(ElementType.INT32, sums);
    }
    if (part < 1 || groups > 1) {
      return ConvolutionLowerings.convolve(
          f, f.as(ElementType.INT32, images), f.as(ElementType.INT32, filters), windows, groups);
    }
    // Each part of the channels is a group.
    long count = (filter[1] + part - 1) / part;
    long[] padded = Shapes.with(f.shape(images), 1, count * part);
    IndexExpression[] own = new IndexExpression[padded.length];
    Arrays.setAll(own, Indices::loop);
    MicroValue left = f.reindex(numbers(f, images), padded, own);
    long[] shape = Shapes.with(Shapes.with(filter, 0, count * filter[0]), 1, part);
    own[0] = modulo(loop(0), filter[0]);
    own[1] = plus(times(over(loop(0), filter[0]), part), loop(1));
    MicroValue right = numbers(f, f.reindex(filters, shape, own));
    MicroValue sums = ConvolutionLowerings.convolve(f, left, right, windows, count);
    long[] all = f.shape(sums);
    long[] places = Arrays.copyOfRange(all, 2, all.length);
    long[] split = Shapes.concat(new long[] {all[0], count, filter[0]}, places);
    MicroValue integers = f.reshape(f.as(ElementType.INT32, sums), split);
    return f.reduceAway(Reduction.SUM, integers, 1);
  }
}
