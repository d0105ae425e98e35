package dev.sublet.offset;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * Buffers to be placed in one arena, in compressed rows. A buffer has bytes and, ascending and
 * disjoint, the intervals of points during which it is live.
 */
public final class PlanningProblem {

  private final long alignment;
  private final long[] sizes;
  private final int[] starts;
  private final int[] begins;
  private final int[] ends;

  private PlanningProblem(long alignment, long[] sizes, int[] starts, int[] begins, int[] ends) {
    this.alignment = alignment;
    this.sizes = sizes;
    this.starts = starts;
    this.begins = begins;
    this.ends = ends;
  }

  /** A builder of problems whose offsets must be multiples of the alignment. */
  public static Builder builder(long alignment) {
    checkArgument(alignment >= 1, "alignment %s", alignment);
    return new Builder(alignment);
  }

  /** Every offset is a multiple of this. */
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

  /** The bytes of a buffer. */
  public long size(int buffer) {
    return sizes[buffer];
  }

  /** The index of a buffer's first interval. */
  public int firstInterval(int buffer) {
    return starts[buffer];
  }

  /** The index behind a buffer's last interval. */
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

  /** The first point of a buffer. */
  public int firstPoint(int buffer) {
    return begins[starts[buffer]];
  }

  /** The first point after a buffer. */
  public int lastPoint(int buffer) {
    return ends[starts[buffer + 1] - 1];
  }

  /** The smallest multiple of the alignment that is not below an offset. */
  public long align(long offset) {
    long remainder = offset % alignment;
    return remainder == 0 ? offset : Math.addExact(offset, alignment - remainder);
  }

  /** Collects buffers. */
  public static final class Builder {

    private final long alignment;
    private long[] sizes = new long[64];
    private int[] starts = new int[64];
    private int[] begins = new int[64];
    private int[] ends = new int[64];
    private int buffers;
    private int intervals;

    private Builder(long alignment) {
      this.alignment = alignment;
    }

    /** Adds a buffer; its intervals follow. Returns its index. */
    public int addBuffer(long size) {
      checkArgument(size > 0, "size %s", size);
      if (buffers + 2 > starts.length) {
        sizes = Arrays.copyOf(sizes, 2 * sizes.length);
        starts = Arrays.copyOf(starts, 2 * starts.length);
      }
      sizes[buffers] = size;
      starts[buffers] = intervals;
      return buffers++;
    }

    /** Adds an interval to the latest buffer; it must begin behind the one before, or touch it. */
    public void addInterval(int begin, int end) {
      int first = starts[buffers - 1];
      if (intervals > first && ends[intervals - 1] >= begin) {
        ends[intervals - 1] = Math.max(ends[intervals - 1], end);
        return;
      }
      checkArgument(begin < end, "[%s, %s) is empty", begin, end);
      if (intervals == begins.length) {
        begins = Arrays.copyOf(begins, 2 * intervals);
        ends = Arrays.copyOf(ends, 2 * intervals);
      }
      begins[intervals] = begin;
      ends[intervals] = end;
      intervals++;
    }

    /** The problem. */
    public PlanningProblem build() {
      int[] rows = Arrays.copyOf(starts, buffers + 1);
      rows[buffers] = intervals;
      return new PlanningProblem(
          alignment,
          Arrays.copyOf(sizes, buffers),
          rows,
          Arrays.copyOf(begins, intervals),
          Arrays.copyOf(ends, intervals));
    }
  }
}
