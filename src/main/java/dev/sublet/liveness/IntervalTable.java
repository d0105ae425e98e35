package dev.sublet.liveness;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;

/**
 * Rows of intervals of program points, in compressed primitive arrays. Within a row, intervals
 * ascend and neither touch nor overlap. Every method is O(1) unless its comment gives another cost.
 */
public final class IntervalTable {

  private final int[] starts;
  private final int[] begins;
  private final int[] ends;

  private IntervalTable(int[] starts, int[] begins, int[] ends) {
    this.starts = starts;
    this.begins = begins;
    this.ends = ends;
  }

  /** Returns a builder that accepts intervals in any order. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whether a row has no interval. */
  public boolean isEmpty(int row) {
    return starts[row] == starts[row + 1];
  }

  /** The index of a row's first interval. */
  public int firstInterval(int row) {
    return starts[row];
  }

  /** The index after a row's last interval. */
  public int endInterval(int row) {
    return starts[row + 1];
  }

  /** The first point of an interval. */
  public int begin(int interval) {
    return begins[interval];
  }

  /** The first point after an interval. */
  public int end(int interval) {
    return ends[interval];
  }

  /** The first point of a row that is not empty. */
  public int firstPoint(int row) {
    return begins[starts[row]];
  }

  /** The first point after a row that is not empty. */
  public int lastPoint(int row) {
    return ends[starts[row + 1] - 1];
  }

  /** Whether an interval of a row contains a point. O(log intervals). */
  public boolean contains(int row, int point) {
    int found = Arrays.binarySearch(begins, starts[row], starts[row + 1], point);
    // The interval that begins at the point, or else the last one that begins before it.
    int interval = found >= 0 ? found : -found - 2;
    return interval >= starts[row] && point < ends[interval];
  }

  /** Collects intervals, and joins intervals of one row that touch or overlap. */
  public static final class Builder {

    private final ImmutableIntArray.Builder rows = ImmutableIntArray.builder(1024);

    /**
     * Begin and end of each interval in one number, so that a row can be sorted without objects.
     */
    private final ImmutableLongArray.Builder intervals = ImmutableLongArray.builder(1024);

    private Builder() {}

    /** Adds an interval to a row. */
    public Builder add(int row, int begin, int end) {
      rows.add(row);
      intervals.add((long) begin << 32 | end);
      return this;
    }

    /**
     * Returns the table of rows 0 to {@code rowCount - 1}. Sorts each row: O(n log n) for a row of
     * n intervals.
     */
    public IntervalTable build(int rowCount) {
      ImmutableIntArray rowOf = rows.build();
      ImmutableLongArray unsorted = intervals.build();
      int[] starts = new int[rowCount + 1];
      for (int i = 0; i < rowOf.length(); i++) {
        starts[rowOf.get(i) + 1]++;
      }
      for (int row = 0; row < rowCount; row++) {
        starts[row + 1] += starts[row];
      }
      long[] sorted = new long[unsorted.length()];
      int[] next = Arrays.copyOf(starts, rowCount);
      for (int i = 0; i < sorted.length; i++) {
        sorted[next[rowOf.get(i)]++] = unsorted.get(i);
      }
      return join(starts, sorted, rowCount);
    }

    private static IntervalTable join(int[] starts, long[] sorted, int rowCount) {
      int[] joinedStarts = new int[rowCount + 1];
      int[] begins = new int[sorted.length];
      int[] ends = new int[sorted.length];
      int count = 0;
      for (int row = 0; row < rowCount; row++) {
        joinedStarts[row] = count;
        Arrays.sort(sorted, starts[row], starts[row + 1]);
        for (int i = starts[row]; i < starts[row + 1]; i++) {
          int begin = (int) (sorted[i] >>> 32);
          int end = (int) sorted[i];
          if (count > joinedStarts[row] && ends[count - 1] >= begin) {
            ends[count - 1] = Math.max(ends[count - 1], end);
          } else {
            begins[count] = begin;
            ends[count] = end;
            count++;
          }
        }
      }
      joinedStarts[rowCount] = count;
      return new IntervalTable(
          joinedStarts, Arrays.copyOf(begins, count), Arrays.copyOf(ends, count));
    }
  }
}
