package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;

/**
 * A tensor and its LoD: the offsets at which its sequences begin and end.
 *
 * @param tensor the elements
 * @param lod for each level the offsets at which its sequences begin, and the end of the last
 *     sequence, which is the number of sequences of the next level, or of rows; empty if there are
 *     no sequences
 */
public record LodTensor(Tensor tensor, ImmutableList<ImmutableLongArray> lod) {

  /**
   * Whether the offsets of each level rise from 0 to the number of sequences of the next level, or
   * of rows. O(offsets).
   *
   * <p>The LoD of {@code BatchGate} of Paddle's {@code lstm} does not satisfy this: it contains
   * other numbers, and no kernel here reads it as sequences.
   */
  public boolean hasSequences() {
    boolean isRight = lod.isEmpty() || tensor.rank() > 0;
    for (int level = lod.size() - 1; isRight && level >= 0; level--) {
      boolean isLast = level == lod.size() - 1;
      isRight = isLevel(lod.get(level), isLast ? tensor.size(0) : lod.get(level + 1).length() - 1L);
    }
    return isRight;
  }

  private static boolean isLevel(ImmutableLongArray offsets, long end) {
    boolean rises = offsets.length() > 0 && offsets.get(0) == 0;
    for (int i = 1; rises && i < offsets.length(); i++) {
      rises = offsets.get(i - 1) <= offsets.get(i);
    }
    return rises && offsets.get(offsets.length() - 1) == end;
  }

  /** Returns a tensor without sequences. */
  public static LodTensor of(Tensor tensor) {
    return new LodTensor(tensor, ImmutableList.of());
  }
}
