package dev.sublet.placement.nnc;

import static java.util.Objects.requireNonNull;

import com.google.common.math.LongMath;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.InterferenceGraph;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * NNC's construction of an allocation graph, tuple by tuple; what remains to be said is in which
 * order, which is what NNC's two documents differ in.
 *
 * <p>Pinned buffers are the first nodes. A tuple of buffers that do not interfere goes to one
 * offset:
 *
 * <ol>
 *   <li>into an edge that has enough bytes for its largest member, and whose ends are a tensor
 *       before and a tensor after all members: the document's rule. Of several edges that whose
 *       bytes stay unused for the shortest time, then the lightest, then the lowest;
 *   <li>else into such an edge from the source or to the sink, as in NNC's code (not in the
 *       document);
 *   <li>else into adjacent edges that together have the bytes, the members each into edges of their
 *       own: ours, for the document cannot merge what it has split. Of several stretches into the
 *       shortest, then the lowest;
 *   <li>else ({@link #open}) at the top: the document adds an edge from source to sink with all the
 *       bytes; ours begins as low as the free bytes at the top reach.
 * </ol>
 *
 * <p>The free bytes only ever shrink, until the arena grows. Hence a tuple that did not fit need
 * not be tried again before that, and neither need a larger one.
 *
 * <p>Own alignments are kept within the chosen bytes. Without windows, weights are padded to the
 * common alignment. With windows a node has the bytes of its window, but two buffers that are live
 * together are one above the other as {@link PlanningProblem#clearance} says.
 */
final class AllocationBuilder {

  /** Inserts all buffers that are not pinned, in an order of its own; may stop when work is up. */
  interface Selection {
    void insertAll(PlanningProblem problem, AllocationBuilder builder);
  }

  /** Entries that may be read before the problem is left to a simpler planner: some seconds. */
  static final long MAX_WORK = 2_000_000_000L;

  /** What a neighbour is worth that was looked at and sorted, in entries read. */
  static final long VISITS_OF_FIT = 30;

  private static final int NONE = -1;

  private final PlanningProblem problem;
  private final AllocationGraph graph;
  private final LowestFit fit;
  private final long[] offsets;
  private final long maxWork;
  private @Nullable InterferenceGraph interference;
  private long selectionWork;

  /** The buffer for which the arena has grown last and up to whose end it reaches, or none. */
  private int opener = NONE;

  AllocationBuilder(PlanningProblem problem, long maxWork) {
    this.problem = problem;
    this.graph = new AllocationGraph(problem);
    this.fit = new LowestFit(problem);
    this.offsets = new long[problem.bufferCount()];
    this.maxWork = maxWork;
    Arrays.fill(offsets, LowestFit.UNPLACED);
    insertPinned();
  }

  /**
   * A placement by NNC's algorithm with a selection; by {@link GreedyPlanners#GREEDY_SIZE} where
   * that would take too much work, which is logged.
   */
  static Placement place(
      String name,
      Selection selection,
      long maxWork,
      PlanningProblem problem,
      PlannerOptions options,
      DiagnosticLog log) {
    AllocationBuilder builder = new AllocationBuilder(problem, maxWork);
    if (!hasTooManyNeighbours(problem, maxWork)) {
      selection.insertAll(problem, builder);
    }
    if (!builder.isComplete()) {
      log.warn(
          Location.nowhere(),
          problem.bufferCount()
              + " buffers are too much work for planner '"
              + name
              + "': they were left to planner '"
              + GreedyPlanners.GREEDY_SIZE.name()
              + "'");
      Placement greedy = GreedyPlanners.GREEDY_SIZE.place(problem, options, log);
      return Placement.of(name, problem, greedy.offsets().toArray());
    }
    if (!Compaction.compact(problem, builder.offsets, maxWork)) {
      log.note(
          Location.nowhere(), "planner '" + name + "' stopped before its placement was compact");
    }
    return Placement.of(name, problem, builder.offsets);
  }

  /**
   * Whether to look at all neighbours of all buffers, for holes or windows, is too much already.
   */
  private static boolean hasTooManyNeighbours(PlanningProblem problem, long maxWork) {
    boolean hasHoles = problem.intervalCount() > problem.bufferCount();
    return (hasHoles || problem.hasWindows())
        && InterferenceGraph.countPairs(problem) > maxWork / VISITS_OF_FIT;
  }

  private boolean isComplete() {
    for (long offset : offsets) {
      if (offset == LowestFit.UNPLACED) {
        return false;
      }
    }
    return true;
  }

  /** The graph so far. */
  AllocationGraph graph() {
    return graph;
  }

  /** Which buffers interfere. */
  InterferenceGraph interference() {
    if (interference == null) {
      interference = new InterferenceGraph(problem);
    }
    return interference;
  }

  /** Where the buffers are so far. */
  long[] offsets() {
    return offsets;
  }

  /** Adds work that a selection has done. */
  void spend(long work) {
    selectionWork += work;
  }

  /** Whether the work is up and a selection is to stop. */
  boolean isWorkUp() {
    return work() > maxWork;
  }

  private long work() {
    return graph.visits() + VISITS_OF_FIT * fit.visits() + selectionWork;
  }

  private void insertPinned() {
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      if (problem.isPinned(buffer)) {
        insertAt(problem.pin(buffer), buffer);
      }
    }
  }

  /** Inserts a tuple into the arena as it is; false if it has no place for it. */
  boolean insert(int... tuple) {
    long size = largestSize(tuple);
    long alignment = commonAlignment(tuple);
    if (size > graph.top()) {
      return false;
    }
    OffsetRanges ranges =
        problem.hasWindows() ? fit.ranges(tuple, graph.top() - size, offsets) : null;
    long offset = offsetInEdge(tuple, size, alignment, ranges);
    if (offset == OffsetRanges.NONE) {
      OffsetRanges all = ranges != null ? ranges : freeRanges(tuple);
      offset = all.lowestOfNarrowest(alignment);
    }
    if (offset == OffsetRanges.NONE) {
      return false;
    }
    insertAt(offset, tuple);
    return true;
  }

  /** Inserts a buffer at the lowest offset at which it finds bytes; not for windows. */
  void insertLowest(int buffer) {
    long offset =
        freeRanges(new int[] {buffer}).lowestWithin(0, graph.top(), problem.alignment(buffer));
    if (offset == OffsetRanges.NONE) {
      open(buffer);
    } else {
      insertAt(offset, buffer);
    }
  }

  /** Inserts a tuple for which the arena has no place, and lets the arena grow for it. */
  void open(int... tuple) {
    boolean isSimple = tuple.length == 1 && !problem.hasWindows();
    long alignment = commonAlignment(tuple);
    long top = graph.top();
    long offset =
        isSimple
            ? PlanningProblem.align(freeTop(tuple[0]), alignment)
            : fit.lowest(tuple, alignment, offsets);
    insertAt(offset, tuple);
    opener = NONE;
    for (int buffer : tuple) {
      boolean reachesTop = offset + paddedSize(buffer) == graph.top();
      opener = offset <= top && reachesTop && !problem.hasWindows() ? buffer : opener;
    }
  }

  /**
   * Whether the latest growth of the arena may have made a place for a tuple that had none before.
   * It would reach into the new bytes. If its largest member interferes with the buffer that has
   * all of them, and does not begin above the old ones, then it would lie below that, where it had
   * no place.
   *
   * @param largest the largest member of the tuple
   */
  boolean mayUseGrowth(int largest) {
    return opener == NONE || !interference().interfere(largest, opener);
  }

  private void insertAt(long offset, int... tuple) {
    for (int buffer : tuple) {
      graph.growTo(Math.addExact(offset, paddedSize(buffer)));
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        long end = problem.hasWindows() ? problem.high(i) : paddedSize(buffer);
        graph.insert(i, offset + problem.low(i), offset + end);
      }
      offsets[buffer] = offset;
    }
  }

  /** An offset within an edge that is free during the whole time of a tuple; or none. */
  private long offsetInEdge(
      int[] tuple, long size, long alignment, @Nullable OffsetRanges allowed) {
    int first = firstInterval(tuple);
    int last = lastInterval(tuple);
    int count = graph.findEdges(first, last);
    long best = OffsetRanges.NONE;
    long bestSlack = 0;
    long bestBytes = 0;
    for (int hit = 0; hit < count; hit++) {
      int edge = graph.found(hit);
      long bytes = graph.bytes(edge);
      long low = PlanningProblem.align(graph.offset(edge), alignment);
      long high = graph.offset(edge) + bytes - size;
      long offset = low > high ? OffsetRanges.NONE : low;
      if (offset != OffsetRanges.NONE && allowed != null) {
        offset = allowed.lowestWithin(low, high, alignment);
      }
      if (offset == OffsetRanges.NONE) {
        continue;
      }
      long slack = graph.slack(edge, first, last);
      boolean isBetter = best == OffsetRanges.NONE || slack < bestSlack;
      if (!isBetter && slack == bestSlack) {
        isBetter = bytes < bestBytes || (bytes == bestBytes && offset < best);
      }
      if (isBetter) {
        best = offset;
        bestSlack = slack;
        bestBytes = bytes;
      }
    }
    return best;
  }

  /** The offsets at which all intervals of a tuple find free bytes, adjacent edges together. */
  private OffsetRanges freeRanges(int[] tuple) {
    OffsetRanges ranges = null;
    for (int buffer : tuple) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        OffsetRanges own = graph.freeBytes(i).shortenedBy(paddedSize(buffer) - 1);
        ranges = ranges == null ? own : ranges.intersect(own);
      }
    }
    return requireNonNull(ranges, "a tuple has members");
  }

  /** Where the bytes begin that are free up to the top of the arena in all intervals. */
  private long freeTop(int buffer) {
    long begin = 0;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      begin = Math.max(begin, graph.freeBytes(i).beginOfLast(graph.top() - 1, graph.top()));
    }
    return begin;
  }

  /**
   * A buffer's weight: its bytes, up to where the next one may begin if that is the same for all.
   */
  private long paddedSize(int buffer) {
    long size = problem.size(buffer);
    return problem.hasWindows() ? size : problem.align(size);
  }

  private long largestSize(int[] tuple) {
    long size = 0;
    for (int buffer : tuple) {
      size = Math.max(size, paddedSize(buffer));
    }
    return size;
  }

  private long commonAlignment(int[] tuple) {
    long alignment = 1;
    for (int buffer : tuple) {
      long own = problem.alignment(buffer);
      alignment = Math.multiplyExact(alignment, own / LongMath.gcd(alignment, own));
    }
    return alignment;
  }

  private int firstInterval(int[] tuple) {
    int first = problem.firstInterval(tuple[0]);
    for (int buffer : tuple) {
      int own = problem.firstInterval(buffer);
      first = problem.begin(own) < problem.begin(first) ? own : first;
    }
    return first;
  }

  private int lastInterval(int[] tuple) {
    int last = problem.endInterval(tuple[0]) - 1;
    for (int buffer : tuple) {
      int own = problem.endInterval(buffer) - 1;
      last = problem.end(own) > problem.end(last) ? own : last;
    }
    return last;
  }
}
