package dev.sublet.placement.greedy;

import java.util.Arrays;

/**
 * Ranges of an arena that are each occupied during an interval of points, ascending by their first
 * bytes. O(n) moves of words to insert a range, O(n) to collect those of an interval.
 */
final class TimedByteRanges {

  private long[] froms = new long[4];
  private long[] tos = new long[4];
  private int[] begins = new int[4];
  private int[] ends = new int[4];
  private int size;

  /** Adds the bytes {@code [from, to)} that are occupied during {@code [begin, end)}. */
  void add(long from, long to, int begin, int end) {
    if (size == froms.length) {
      froms = Arrays.copyOf(froms, 2 * size);
      tos = Arrays.copyOf(tos, 2 * size);
      begins = Arrays.copyOf(begins, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    int position = Arrays.binarySearch(froms, 0, size, from);
    position = position < 0 ? -position - 1 : position;
    int behind = size - position;
    System.arraycopy(froms, position, froms, position + 1, behind);
    System.arraycopy(tos, position, tos, position + 1, behind);
    System.arraycopy(begins, position, begins, position + 1, behind);
    System.arraycopy(ends, position, ends, position + 1, behind);
    froms[position] = from;
    tos[position] = to;
    begins[position] = begin;
    ends[position] = end;
    size++;
  }

  /** Adds the bytes that are occupied at some point of {@code [begin, end)} to an empty set. */
  void collect(int begin, int end, ByteRangeSet into) {
    for (int i = 0; i < size; i++) {
      if (begins[i] < end && begin < ends[i]) {
        into.append(froms[i], tos[i]);
      }
    }
  }
}
