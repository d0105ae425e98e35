package dev.sublet.placement.nnc;

import java.util.Arrays;

/**
 * An index of numbered spans of slots that finds the spans containing a given range: a segment tree
 * whose nodes list the spans that cover them. O(log slots) to add a span. A removed span is deleted
 * from a list when the list is next read.
 */
final class SpanIndex {

  private static final int REMOVED = -1;
  private static final int[] EMPTY = {};

  private final int slots;
  private final int[][] lists;
  private final int[] counts;
  private int[] ends = new int[64];
  private int[] found = new int[64];
  private long visits;

  SpanIndex(int slots) {
    this.slots = slots;
    this.lists = new int[2 * slots][];
    this.counts = new int[2 * slots];
    Arrays.fill(lists, EMPTY);
  }

  /** Adds a span under a new number. A span without slots is never found. */
  void add(int span, int begin, int end) {
    if (span >= ends.length) {
      ends = Arrays.copyOf(ends, 2 * span);
    }
    ends[span] = end;
    int low = begin + slots;
    int high = end + slots;
    while (low < high) {
      if ((low & 1) == 1) {
        append(low++, span);
      }
      if ((high & 1) == 1) {
        append(--high, span);
      }
      low >>= 1;
      high >>= 1;
    }
  }

  private void append(int node, int span) {
    if (counts[node] == lists[node].length) {
      lists[node] = Arrays.copyOf(lists[node], Math.max(4, 2 * counts[node]));
    }
    lists[node][counts[node]++] = span;
  }

  /** Removes a span; its number is not used again. */
  void remove(int span) {
    ends[span] = REMOVED;
  }

  /**
   * Finds the spans that contain {@code [begin, end)}, in no particular order, and returns their
   * number.
   */
  int collect(int begin, int end) {
    int hits = 0;
    for (int node = begin + slots; node > 0; node >>= 1) {
      int[] list = lists[node];
      int count = counts[node];
      int kept = 0;
      visits += 1 + count;
      if (found.length < hits + count) {
        found = Arrays.copyOf(found, Math.max(2 * found.length, hits + count));
      }
      for (int i = 0; i < count; i++) {
        int span = list[i];
        if (ends[span] != REMOVED) {
          list[kept++] = span;
          if (ends[span] >= end) {
            found[hits++] = span;
          }
        }
      }
      counts[node] = kept;
    }
    return hits;
  }

  /** One of the spans that the latest {@link #collect} found. */
  int found(int hit) {
    return found[hit];
  }

  /** The number of list entries and nodes read so far. */
  long visits() {
    return visits;
  }
}
