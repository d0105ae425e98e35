package dev.sublet.execute;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;

/**
 * A tensor and where its sequences begin and end.
 *
 * @param tensor the elements
 * @param lod for each level the offsets at which sequences begin, and the end of the last, which is
 *     the number of sequences of the next level, or of rows; empty without sequences
 */
public record LodTensor(Tensor tensor, ImmutableList<ImmutableLongArray> lod) {

  public LodTensor {
    requireNonNull(tensor, "tensor");
    requireNonNull(lod, "lod");
    checkArgument(lod.isEmpty() || tensor.rank() > 0, "sequences of a tensor without rows");
    for (int level = lod.size() - 1; level >= 0; level--) {
      boolean isLast = level == lod.size() - 1;
      long end = isLast ? tensor.size(0) : lod.get(level + 1).length() - 1;
      checkArgument(
          isLevel(lod.get(level), end), "sequences at %s of %s in all", lod.get(level), end);
    }
  }

  private static boolean isLevel(ImmutableLongArray offsets, long end) {
    boolean rises = offsets.length() > 0 && offsets.get(0) == 0;
    for (int i = 1; rises && i < offsets.length(); i++) {
      rises = offsets.get(i - 1) <= offsets.get(i);
    }
    return rises && offsets.get(offsets.length() - 1) == end;
  }

  /** A tensor without sequences. */
  public static LodTensor of(Tensor tensor) {
    return new LodTensor(tensor, ImmutableList.of());
  }
}
