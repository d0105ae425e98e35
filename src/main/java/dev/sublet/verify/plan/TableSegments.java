package dev.sublet.verify.plan;

import com.google.common.math.LongMath;
import dev.sublet.plan.BufferTable;
import dev.sublet.verify.graph.IntList;
import java.util.Arrays;

/**
 * The live segments of a table of buffers: time intervals in which a row occupies fixed bytes.
 *
 * <pre>
 *   row: 64 bytes in [0, 9) at offset 128, with a gap [3, 5) in which only bytes [0, 16) are used
 *   segments: [0, 3) × [128, 192), [3, 5) × [128, 144), [5, 9) × [128, 192)
 * </pre>
 */
final class TableSegments {

  /**
   * The bit that marks an event as a beginning. The bits below it are the segment, those above it
   * the rank of the time.
   */
  static final long BEGINS = 1L << 31;

  private final IntList rows = new IntList();
  private long[] begins = new long[64];
  private long[] ends = new long[64];
  private long[] lows = new long[64];
  private long[] highs = new long[64];
  private int[] ranks = new int[0];

  /** Adds the segments of a row at an offset, with those of its gaps. */
  void add(int index, BufferTable.Row row, long offset) {
    long begin = row.lower();
    for (BufferTable.TimeGap gap : row.gaps()) {
      add(index, begin, gap.lower(), offset, row.size());
      if (gap.hasWindow()) {
        add(
            index,
            gap.lower(),
            gap.upper(),
            LongMath.saturatedAdd(offset, gap.low()),
            gap.high() - gap.low());
      }
      begin = gap.upper();
    }
    add(index, begin, row.upper(), offset, row.size());
  }

  private void add(int index, long begin, long end, long low, long size) {
    if (begin >= end) {
      return;
    }
    int next = rows.size();
    if (next == begins.length) {
      begins = Arrays.copyOf(begins, 2 * next);
      ends = Arrays.copyOf(ends, 2 * next);
      lows = Arrays.copyOf(lows, 2 * next);
      highs = Arrays.copyOf(highs, 2 * next);
    }
    begins[next] = begin;
    ends[next] = end;
    lows[next] = low;
    highs[next] = LongMath.saturatedAdd(low, size);
    rows.add(index);
  }

  int row(int segment) {
    return rows.get(segment);
  }

  long begin(int segment) {
    return begins[segment];
  }

  /** Returns the rank of a segment in {@link #regions}. */
  int rank(int segment) {
    return ranks[segment];
  }

  /**
   * Returns the regions of all segments in the order of their first bytes, none of them occupied.
   */
  OccupiedRegions regions() {
    int count = rows.size();
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(lows[a], lows[b]));
    ranks = new int[count];
    long[] sortedLows = new long[count];
    long[] sortedHighs = new long[count];
    int[] names = new int[count];
    for (int rank = 0; rank < count; rank++) {
      names[rank] = order[rank];
      ranks[names[rank]] = rank;
      sortedLows[rank] = lows[names[rank]];
      sortedHighs[rank] = highs[names[rank]];
    }
    return new OccupiedRegions(sortedLows, sortedHighs, names);
  }

  /**
   * Returns the begins and ends of all segments, sorted by the rank of the time, ends before
   * begins, and segment, in the bits of a long.
   */
  long[] events() {
    int count = rows.size();
    long[] times = new long[2 * count];
    System.arraycopy(begins, 0, times, 0, count);
    System.arraycopy(ends, 0, times, count, count);
    Arrays.sort(times);
    long[] events = new long[2 * count];
    for (int i = 0; i < count; i++) {
      events[2 * i] = rank(times, begins[i]) << 32 | BEGINS | i;
      events[2 * i + 1] = rank(times, ends[i]) << 32 | i;
    }
    Arrays.sort(events);
    return events;
  }

  /** The index of the first time that is not less than the given one. */
  private static long rank(long[] times, long time) {
    int low = 0;
    int high = times.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
