package dev.sublet.operator.infer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The elements of small tensors after a permutation of axes or a slice. */
public final class StridedElements {

  private StridedElements() {}

  /**
   * Returns the elements of the tensor whose axis i is axis {@code axes[i]} of {@code x}; null if
   * the elements of {@code x} are not tracked or an extent is not exact.
   */
  public static @Nullable List<SymbolicExtent> permuted(AbstractShape x, int[] axes) {
    long[] extents = extents(x);
    if (extents == null) {
      return null;
    }
    long[] strides = strides(extents);
    long[] counts = new long[axes.length];
    long[] steps = new long[axes.length];
    for (int i = 0; i < axes.length; i++) {
      counts[i] = extents[axes[i]];
      steps[i] = strides[axes[i]];
    }
    return taken(x, 0, counts, steps);
  }

  /**
   * Returns the elements of a slice; along each axis it takes {@code counts[i]} elements from
   * {@code starts[i]} on in steps of {@code steps[i]}. Null if the elements of {@code x} are not
   * tracked or an extent is not exact.
   */
  public static @Nullable List<SymbolicExtent> sliced(
      AbstractShape x, long[] starts, long[] counts, long[] steps) {
    long[] extents = extents(x);
    if (extents == null) {
      return null;
    }
    long[] strides = strides(extents);
    long first = 0;
    long[] moves = new long[strides.length];
    for (int i = 0; i < strides.length; i++) {
      first += starts[i] * strides[i];
      moves[i] = steps[i] * strides[i];
    }
    return taken(x, first, counts, moves);
  }

  /** The extents of a tensor whose elements are tracked; null if not all extents are exact. */
  private static long @Nullable [] extents(AbstractShape x) {
    if (!x.hasElements() || !x.count().is(x.elements().size())) {
      return null;
    }
    long[] extents = new long[x.rank()];
    for (int i = 0; i < extents.length; i++) {
      if (!x.dim(i).isExact()) {
        return null;
      }
      extents[i] = x.dim(i).asLong();
    }
    return extents;
  }

  private static long[] strides(long[] extents) {
    long[] strides = new long[extents.length];
    long stride = 1;
    for (int i = extents.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= extents[i];
    }
    return strides;
  }

  private static List<SymbolicExtent> taken(
      AbstractShape x, long first, long[] counts, long[] moves) {
    List<SymbolicExtent> elements = new ArrayList<>();
    long total = 1;
    for (long count : counts) {
      total *= count;
    }
    for (long i = 0; i < total; i++) {
      long rest = i;
      long place = first;
      for (int axis = counts.length - 1; axis >= 0; axis--) {
        place += rest % counts[axis] * moves[axis];
        rest /= counts[axis];
      }
      elements.add(x.elements().get((int) place));
    }
    return elements;
  }
}
