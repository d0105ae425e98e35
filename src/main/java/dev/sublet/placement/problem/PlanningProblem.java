package dev.sublet.placement.problem;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.math.LongMath;
import java.util.Arrays;

/**
 * The buffers to be placed in one arena. Immutable.
 *
 * <p>A buffer has a size, an alignment, optionally a pin (the offset that it must have), and the
 * intervals of points during which it is live, ascending and disjoint. During an interval the
 * buffer occupies a window of its bytes, usually all of them.
 *
 * <p>Buffers and intervals are dense indices. The intervals of all buffers stand in one array, as
 * in compressed sparse rows: those of a buffer are {@link #firstInterval} to {@link #endInterval} -
 * 1.
 */
public final class PlanningProblem {

  /** The pin of a buffer that may be anywhere. */
  public static final long NOT_PINNED = -1;

  /** The clearance of buffers that never occupy bytes at the same time. */
  public static final long NO_CLEARANCE = -1;

  private final long alignment;
  private final long[] sizes;
  private final long[] alignments;
  private final long[] pins;
  private final int[] starts;
  private final int[] begins;
  private final int[] ends;
  private final long[] lows;
  private final long[] highs;
  private final boolean hasWindows;
  private final boolean hasPins;

  private PlanningProblem(Builder builder) {
    int buffers = builder.buffers;
    int intervals = builder.intervals;
    sizes = Arrays.copyOf(builder.sizes, buffers);
    alignments = Arrays.copyOf(builder.alignments, buffers);
    pins = Arrays.copyOf(builder.pins, buffers);
    starts = Arrays.copyOf(builder.starts, buffers + 1);
    starts[buffers] = intervals;
    begins = Arrays.copyOf(builder.begins, intervals);
    ends = Arrays.copyOf(builder.ends, intervals);
    lows = Arrays.copyOf(builder.lows, intervals);
    highs = Arrays.copyOf(builder.highs, intervals);
    long common = 0;
    boolean windows = false;
    boolean pinned = false;
    for (int buffer = 0; buffer < buffers; buffer++) {
      common = LongMath.gcd(common, alignments[buffer]);
      pinned |= pins[buffer] != NOT_PINNED;
      for (int i = starts[buffer]; i < starts[buffer + 1]; i++) {
        windows |= lows[i] != 0 || highs[i] != sizes[buffer];
      }
    }
    alignment = buffers == 0 ? builder.alignment : common;
    hasWindows = windows;
    hasPins = pinned;
  }

  /**
   * Returns a builder of problems in which buffers have this alignment unless they are added with
   * another one.
   */
  public static Builder builder(long alignment) {
    checkArgument(alignment >= 1, "alignment %s", alignment);
    return new Builder(alignment);
  }

  /**
   * The common alignment, of which every offset is a multiple: the greatest common divisor of the
   * buffers' alignments.
   */
  public long alignment() {
    return alignment;
  }

  /** The number of buffers. */
  public int bufferCount() {
    return sizes.length;
  }

  /** The number of intervals of all buffers. */
  public int intervalCount() {
    return begins.length;
  }

  /** The size of a buffer in bytes; at least 1. */
  public long size(int buffer) {
    return sizes[buffer];
  }

  /** The alignment of a buffer: its offset must be a multiple of this. */
  public long alignment(int buffer) {
    return alignments[buffer];
  }

  /** The offset that a buffer must have, or {@link #NOT_PINNED}. */
  public long pin(int buffer) {
    return pins[buffer];
  }

  /** Whether a buffer has a pin. */
  public boolean isPinned(int buffer) {
    return pins[buffer] != NOT_PINNED;
  }

  /** Whether any buffer has a pin. */
  public boolean hasPins() {
    return hasPins;
  }

  /** Whether any buffer occupies only some of its bytes during an interval. */
  public boolean hasWindows() {
    return hasWindows;
  }

  /** The index of a buffer's first interval. */
  public int firstInterval(int buffer) {
    return starts[buffer];
  }

  /** The index after a buffer's last interval. */
  public int endInterval(int buffer) {
    return starts[buffer + 1];
  }

  /** The first point of an interval. */
  public int begin(int interval) {
    return begins[interval];
  }

  /** The first point after an interval. */
  public int end(int interval) {
    return ends[interval];
  }

  /** The first byte of an interval's window, relative to the buffer. */
  public long low(int interval) {
    return lows[interval];
  }

  /** The first byte after an interval's window, relative to the buffer. */
  public long high(int interval) {
    return highs[interval];
  }

  /** The size of an interval's window: the bytes that the buffer occupies during the interval. */
  public long bytes(int interval) {
    return highs[interval] - lows[interval];
  }

  /** Returns all intervals by their first points, then by index. O(n log n). */
  public int[] intervalsByBegin() {
    return sorted(begins);
  }

  /** Returns all intervals by the first points after them, then by index. O(n log n). */
  public int[] intervalsByEnd() {
    return sorted(ends);
  }

  private static int[] sorted(int[] points) {
    long[] keys = new long[points.length];
    Arrays.setAll(keys, i -> (long) points[i] << 32 | i);
    Arrays.sort(keys);
    int[] intervals = new int[keys.length];
    Arrays.setAll(intervals, i -> (int) keys[i]);
    return intervals;
  }

  /** The first point at which a buffer is live. */
  public int firstPoint(int buffer) {
    return begins[starts[buffer]];
  }

  /** The first point after a buffer's last interval. */
  public int lastPoint(int buffer) {
    return ends[starts[buffer + 1] - 1];
  }

  /** Returns the smallest multiple of the common alignment that is not below an offset. */
  public long align(long offset) {
    return align(offset, alignment);
  }

  /** Returns the smallest multiple of a buffer's alignment that is not below an offset. */
  public long align(int buffer, long offset) {
    return align(offset, alignments[buffer]);
  }

  /** Returns the smallest multiple of an alignment that is not below an offset. */
  public static long align(long offset, long alignment) {
    long mask = alignment - 1;
    // Almost all alignments are powers of two, and a division is slow.
    long remainder = (alignment & mask) == 0 ? offset & mask : offset % alignment;
    return remainder == 0 ? offset : Math.addExact(offset, alignment - remainder);
  }

  /**
   * Returns the least distance by which the offset of {@code upper} must exceed that of {@code
   * lower} so that, with {@code upper} above, the two never occupy the same byte at the same time.
   * The distance is 0 or more, or {@link #NO_CLEARANCE} if the buffers never occupy bytes at the
   * same time. For buffers without windows that are live together it is the size of {@code lower}.
   * O(intervals of both).
   *
   * <p>Two buffers with windows may have further legal positions, in which their windows
   * interleave. The greedy planners use these positions; the others do not.
   */
  public long clearance(int lower, int upper) {
    long clearance = NO_CLEARANCE;
    int i = starts[lower];
    int j = starts[upper];
    while (i < starts[lower + 1] && j < starts[upper + 1]) {
      if (begins[i] < ends[j] && begins[j] < ends[i]) {
        clearance = Math.max(clearance, Math.max(0, highs[i] - lows[j]));
      }
      if (ends[i] <= ends[j]) {
        i++;
      } else {
        j++;
      }
    }
    return clearance;
  }

  /** Whether another problem has the same buffers, in the same order. O(intervals). */
  public boolean hasSameBuffers(PlanningProblem other) {
    return Arrays.equals(sizes, other.sizes)
        && Arrays.equals(alignments, other.alignments)
        && Arrays.equals(pins, other.pins)
        && Arrays.equals(starts, other.starts)
        && Arrays.equals(begins, other.begins)
        && Arrays.equals(ends, other.ends)
        && Arrays.equals(lows, other.lows)
        && Arrays.equals(highs, other.highs);
  }

  /**
   * Adds a buffer to the builder of another problem, with its alignment, pin and intervals.
   * O(intervals).
   */
  public void copyTo(Builder builder, int buffer) {
    builder.addBuffer(sizes[buffer], alignments[buffer], pins[buffer]);
    for (int i = starts[buffer]; i < starts[buffer + 1]; i++) {
      builder.addInterval(begins[i], ends[i], lows[i], highs[i]);
    }
  }

  /** A mutable collection of buffers from which a problem is built. */
  public static final class Builder {

    private final long alignment;
    private long[] sizes = new long[64];
    private long[] alignments = new long[64];
    private long[] pins = new long[64];
    private int[] starts = new int[64];
    private int[] begins = new int[64];
    private int[] ends = new int[64];
    private long[] lows = new long[64];
    private long[] highs = new long[64];
    private int buffers;
    private int intervals;

    private Builder(long alignment) {
      this.alignment = alignment;
    }

    /** Adds a buffer, whose intervals must be added next, and returns its index. */
    public int addBuffer(long size) {
      return addBuffer(size, alignment, NOT_PINNED);
    }

    /**
     * Adds a buffer with its own alignment, whose intervals must be added next, and returns its
     * index.
     *
     * @param pin the offset that the buffer must have, a multiple of its alignment; or {@link
     *     #NOT_PINNED}
     */
    public int addBuffer(long size, long alignment, long pin) {
      checkArgument(size > 0, "size %s", size);
      checkArgument(alignment > 0, "alignment %s", alignment);
      checkArgument(
          pin == NOT_PINNED || (pin >= 0 && pin % alignment == 0),
          "pin %s at alignment %s",
          pin,
          alignment);
      if (buffers + 2 > starts.length) {
        sizes = Arrays.copyOf(sizes, 2 * sizes.length);
        alignments = Arrays.copyOf(alignments, sizes.length);
        pins = Arrays.copyOf(pins, sizes.length);
        starts = Arrays.copyOf(starts, sizes.length);
      }
      sizes[buffers] = size;
      alignments[buffers] = alignment;
      pins[buffers] = pin;
      starts[buffers] = intervals;
      return buffers++;
    }

    /** Adds an interval during which the latest buffer occupies all its bytes. */
    public void addInterval(int begin, int end) {
      addInterval(begin, end, 0, sizes[buffers - 1]);
    }

    /**
     * Adds an interval to the latest buffer. The interval must begin at or after the end of the
     * previous one. If it has the same window as the previous one and touches or overlaps it, the
     * previous interval is lengthened instead.
     *
     * @param low the first byte that the buffer occupies, relative to its own first byte
     * @param high the first byte after the occupied ones
     */
    public void addInterval(int begin, int end, long low, long high) {
      int latest = buffers - 1;
      checkArgument(0 <= low && low < high && high <= sizes[latest], "window [%s, %s)", low, high);
      boolean follows = intervals > starts[latest];
      boolean isSame = follows && lows[intervals - 1] == low && highs[intervals - 1] == high;
      if (isSame && ends[intervals - 1] >= begin) {
        ends[intervals - 1] = Math.max(ends[intervals - 1], end);
        return;
      }
      checkArgument(!follows || ends[intervals - 1] <= begin, "[%s, %s) overlaps", begin, end);
      checkArgument(begin < end, "[%s, %s) is empty", begin, end);
      if (intervals == begins.length) {
        begins = Arrays.copyOf(begins, 2 * intervals);
        ends = Arrays.copyOf(ends, 2 * intervals);
        lows = Arrays.copyOf(lows, 2 * intervals);
        highs = Arrays.copyOf(highs, 2 * intervals);
      }
      begins[intervals] = begin;
      ends[intervals] = end;
      lows[intervals] = low;
      highs[intervals] = high;
      intervals++;
    }

    /** Builds the problem. */
    public PlanningProblem build() {
      return new PlanningProblem(this);
    }
  }
}
