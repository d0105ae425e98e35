package dev.sublet.runtime.memory;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sequences of one level sorted by length, the longest first. Sequences of equal length keep
 * their order.
 *
 * @param items the sequences in that order
 * @param coarseLod the LoD levels above the ranked level
 */
public record RankTable(ImmutableList<Item> items, ImmutableList<ImmutableLongArray> coarseLod) {

  /**
   * One sequence of the ranked level.
   *
   * @param index the position of the sequence in the level
   * @param length the number of its parts
   */
  public record Item(int index, int length) {}

  /**
   * Ranks the sequences of a level by length.
   *
   * @throws OperatorException if there is no such level
   */
  public static RankTable of(ImmutableList<ImmutableLongArray> lod, int level) {
    if (level < 0 || level >= lod.size()) {
      throw new OperatorException("level " + level + " of " + lod.size() + " levels of sequences");
    }
    ImmutableLongArray offsets = lod.get(level);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i + 1 < offsets.length(); i++) {
      items.add(new Item(i, Math.toIntExact(offsets.get(i + 1) - offsets.get(i))));
    }
    items.sort(Comparator.comparingInt(Item::length).reversed());
    return new RankTable(ImmutableList.copyOf(items), lod.subList(0, level));
  }

  /** Returns the number of parts of the longest sequence; 0 if there are no sequences. */
  public int longest() {
    return items.isEmpty() ? 0 : items.get(0).length();
  }

  /** Returns the number of sequences with more than {@code step} parts. O(sequences). */
  public int countLongerThan(long step) {
    int count = 0;
    while (count < items.size() && items.get(count).length() > step) {
      count++;
    }
    return count;
  }
}
