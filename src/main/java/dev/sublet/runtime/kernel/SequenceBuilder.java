package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Joins parts of tensors with sequences. O(elements). */
public final class SequenceBuilder {

  private final List<Tensor> parts = new ArrayList<>();

  /** For each level the offsets so far. The number of levels is that of the first part. */
  private final List<List<Long>> levels = new ArrayList<>();

  /**
   * Adds the sequences of a level from {@code from} to {@code to}, exclusive; rows if there is no
   * such level.
   *
   * @throws OperatorException if there are no such sequences or rows, or the parts differ in their
   *     number of levels
   */
  public void add(LodTensor source, long from, long to, int level) {
    int count = Math.max(0, source.lod().size() - level);
    if (parts.isEmpty()) {
      for (int i = 0; i < count; i++) {
        levels.add(new ArrayList<>(List.of(0L)));
      }
    }
    if (levels.size() != count) {
      throw new OperatorException(
          "parts with " + levels.size() + " and " + count + " levels of sequences");
    }
    long begin = from;
    long end = to;
    for (int i = 0; i < count; i++) {
      ImmutableLongArray offsets = source.lod().get(level + i);
      if (begin < 0 || end >= offsets.length()) {
        throw new OperatorException(
            "sequences " + begin + " to " + end + " of " + (offsets.length() - 1));
      }
      List<Long> target = levels.get(i);
      long last = target.get(target.size() - 1);
      for (long j = begin; j < end; j++) {
        target.add(last + offsets.get((int) j + 1) - offsets.get((int) begin));
      }
      begin = offsets.get((int) begin);
      end = offsets.get((int) end);
    }
    parts.add(Slices.rows(source.tensor(), begin, end));
  }

  /**
   * Returns the parts joined. If no part was added, the result has no rows, and otherwise the shape
   * of {@code like}.
   */
  public LodTensor build(Tensor like) {
    ImmutableList.Builder<ImmutableLongArray> lod = ImmutableList.builder();
    for (List<Long> level : levels) {
      lod.add(ImmutableLongArray.copyOf(level));
    }
    Tensor tensor = parts.isEmpty() ? Slices.rows(like, 0, 0) : Slices.join(parts);
    return new LodTensor(tensor, lod.build());
  }
}
