package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sequences by length, the longest first; of equally long ones the earlier first.
 *
 * @param items the sequences in that order
 * @param coarseLod the levels above the one that was ranked
 */
public record RankTable(ImmutableList<Item> items, ImmutableList<ImmutableLongArray> coarseLod) {

  /**
   * A sequence.
   *
   * @param index which of the sequences of the tensor it is
   * @param length how many parts it has
   */
  public record Item(int index, int length) {}

  public RankTable {
    requireNonNull(items, "items");
    requireNonNull(coarseLod, "coarseLod");
  }

  /**
   * Ranks the sequences of a level.
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

  /** How many parts the longest sequence has; 0 without sequences. */
  public int longest() {
    return items.isEmpty() ? 0 : items.get(0).length();
  }

  /** How many sequences have more parts than a number. O(sequences). */
  public int countLongerThan(long step) {
    int count = 0;
    while (count < items.size() && items.get(count).length() > step) {
      count++;
    }
    return count;
  }
}
