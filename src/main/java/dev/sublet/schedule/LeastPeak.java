package dev.sublet.schedule;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The front door: finds an order of operators with a small peak of live bytes.
 *
 * <p>The graph is split into {@link Segments}. As long as the segment with the largest peak can be
 * improved, a {@link SegmentSearch} looks for a better order of it; all other segments keep their
 * order. So operators move only if the peak falls. Apart from the searches, O(arguments × readers +
 * segments log segments).
 */
public final class LeastPeak {

  /** The greatest number of operators of a segment that is searched. */
  static final int MOST_OPERATORS = 4096;

  private static final int MOST_STATES = 20_000;
  private static final int LEAST_STATES = 16;

  private final OperatorGraph graph;
  private final BytesInUse bytes;
  private final ImmutableIntArray begins;
  private final int[] order;
  private final long[] before;
  private final long[] peaks;

  /** A peak that no order of the graph is below. */
  private long floor;

  private LeastPeak(OperatorGraph graph) {
    this.graph = graph;
    this.bytes = new BytesInUse(graph);
    this.begins = Segments.find(graph);
    this.order = new int[graph.size()];
    int segments = begins.length() - 1;
    this.before = new long[segments];
    this.peaks = new long[segments];
  }

  /**
   * Finds an order. Its peak is at most that of the given order, and it is the given order unless
   * its peak is smaller.
   *
   * @param budget the number of operators that the search may try after sets of others; a search of
   *     one segment that has begun is finished
   */
  public static ScheduledOrder find(OperatorGraph graph, long budget) {
    checkArgument(budget >= 1, "budget %s", budget);
    return new LeastPeak(graph).find(budget);
  }

  /** Returns the given order of a graph with its peak. O(arguments × readers). */
  public static ScheduledOrder given(OperatorGraph graph) {
    LeastPeak search = new LeastPeak(graph);
    search.measure();
    return search.result(/* isLeast= */ false);
  }

  private ScheduledOrder find(long budget) {
    measure();
    PriorityQueue<Integer> segments =
        new PriorityQueue<>(
            Comparator.<Integer>comparingLong(segment -> -peaks[segment]).thenComparing(i -> i));
    for (int i = 0; i < peaks.length; i++) {
      segments.add(i);
    }
    for (long tried = 0; ; ) {
      int worst = segments.remove();
      if (peaks[worst] <= floor) {
        return result(/* isLeast= */ true);
      }
      int begin = begins.get(worst);
      int end = begins.get(worst + 1);
      if (end - begin > MOST_OPERATORS || tried > budget) {
        return result(/* isLeast= */ false);
      }
      SegmentSearch search =
          new SegmentSearch(graph, begin, end, floor, width(end - begin, budget));
      @Nullable ScheduledOrder better = search.search(before[worst], peaks[worst]);
      if (better == null) {
        return result(search.isComplete());
      }
      tried += search.tried();
      take(worst, better);
      segments.add(worst);
    }
  }

  private static int width(int operators, long budget) {
    return (int) Math.max(LEAST_STATES, Math.min(MOST_STATES, budget / 4 / operators));
  }

  private void take(int segment, ScheduledOrder better) {
    peaks[segment] = better.peak();
    if (better.isLeast()) {
      floor = Math.max(floor, better.peak());
    }
    for (int i = 0; i < better.operators().length(); i++) {
      order[begins.get(segment) + i] = better.operators().get(i);
    }
  }

  private ScheduledOrder result(boolean isLeast) {
    long peak = Arrays.stream(peaks).max().orElseThrow();
    return new ScheduledOrder(ImmutableIntArray.copyOf(order), peak, isLeast);
  }

  /** Follows the given order. */
  private void measure() {
    long live = graph.bytesAtStart();
    for (int segment = 0; segment < peaks.length; segment++) {
      before[segment] = live;
      peaks[segment] = live;
      for (int i = begins.get(segment); i < begins.get(segment + 1); i++) {
        int now = i;
        BytesInUse.OperatorSet run = operator -> operator < now;
        order[i] = i;
        peaks[segment] = Math.max(peaks[segment], live + bytes.addedWhileRunning(i, run));
        live += bytes.change(i, run);
      }
      floor = Math.max(floor, floor(segment));
    }
  }

  /** The largest sum of bytes that an operator of a segment needs in any order. */
  private long floor(int segment) {
    int begin = begins.get(segment);
    int end = begins.get(segment + 1);
    long always = before[segment] - bytes.dyingIn(begin, end);
    long floor = before[segment];
    for (int i = begin; i < end; i++) {
      floor = Math.max(floor, always + bytes.least(i, begin, end));
    }
    return floor;
  }
}
