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
 * Builds NNC's allocation graph tuple by tuple. A {@link Selection} gives the order of the tuples,
 * in which the two versions of NNC's document differ.
 *
 * <p>Pinned buffers become the first nodes. A tuple of buffers that do not interfere with each
 * other gets one common offset, by the first of these rules that applies:
 *
 * <ol>
 *   <li>The document's rule: into an edge that has enough bytes for the largest member, from a
 *       tensor before all members to a tensor after all members. Of several such edges, the tuple
 *       takes the one whose bytes stay unused for the shortest time, then the lightest, then the
 *       lowest.
 *   <li>As in NNC's code, but not in the document: into such an edge from the source or to the
 *       sink.
 *   <li>Added here: into adjacent edges that together have enough bytes, where different members
 *       may use different edges. The document cannot merge the bytes that it has split. Of several
 *       ranges of offsets, the tuple takes the shortest, then the lowest.
 *   <li>At the top of the arena ({@link #open}). The document adds an edge from source to sink with
 *       all the bytes; here the tuple begins as low as the free bytes at the top reach.
 * </ol>
 *
 * <p>Until the arena grows, the free bytes only shrink. Hence a tuple that did not fit, or a larger
 * one, need not be tried again before the arena grows.
 *
 * <p>Each buffer's own alignment is kept within the chosen bytes. Without windows, weights are
 * padded to the common alignment. With windows, a node has the bytes of its window, but buffers
 * that are live together lie one above the other, at the distance that {@link
 * PlanningProblem#clearance} gives.
 */
final class AllocationBuilder {

  /**
   * An order in which all buffers that are not pinned are inserted. It may stop when the work limit
   * is reached.
   */
  interface Selection {
    void insertAll(PlanningProblem problem, AllocationBuilder builder);
  }

  /**
   * The work limit: the number of entries that may be read, in a few seconds, before a simpler
   * planner takes over.
   */
  static final long MAX_WORK = 2_000_000_000L;

  /** The cost of examining and sorting one neighbor, as a number of entries read. */
  static final long VISITS_OF_FIT = 30;

  private static final int NONE = -1;

  private final PlanningProblem problem;
  private final AllocationGraph graph;
  private final LowestFit fit;
  private final long[] offsets;
  private final long maxWork;
  private @Nullable InterferenceGraph interference;
  private long selectionWork;

  /**
   * The buffer for which the arena last grew, if the arena ends with this buffer; else {@link
   * #NONE}.
   */
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
   * Places all buffers by NNC's algorithm with a selection. If that takes too much work, {@link
   * GreedyPlanners#GREEDY_SIZE} places them instead, and the log contains a warning.
   */
  static Placement place(
      String name,
      Selection selection,
      long maxWork,
      PlanningProblem problem,
      PlannerOptions options,
      DiagnosticLog log) {
    AllocationBuilder builder = new AllocationBuilder(problem, maxWork);
    if (!hasTooManyNeighbors(problem, maxWork)) {
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
   * Whether examining all neighbors of all buffers, as holes and windows require, exceeds the work
   * limit by itself.
   */
  private static boolean hasTooManyNeighbors(PlanningProblem problem, long maxWork) {
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

  /** The allocation graph of the buffers inserted so far. */
  AllocationGraph graph() {
    return graph;
  }

  /** The interference graph of the problem, computed on the first call. */
  InterferenceGraph interference() {
    if (interference == null) {
      interference = new InterferenceGraph(problem);
    }
    return interference;
  }

  /** The offsets of the buffers; {@link LowestFit#UNPLACED} if not inserted yet. */
  long[] offsets() {
    return offsets;
  }

  /** Adds work that a selection has done. */
  void spend(long work) {
    selectionWork += work;
  }

  /** Whether the work limit is reached, so that a selection must stop. */
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

  /** Inserts a tuple without growing the arena. Returns false if the tuple does not fit. */
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

  /**
   * Inserts a buffer at its lowest free offset, growing the arena if there is none. Not for
   * problems with windows.
   */
  void insertLowest(int buffer) {
    long offset =
        freeRanges(new int[] {buffer}).lowestWithin(0, graph.top(), problem.alignment(buffer));
    if (offset == OffsetRanges.NONE) {
      open(buffer);
    } else {
      insertAt(offset, buffer);
    }
  }

  /** Inserts a tuple that does not fit into the arena, which grows. */
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
   * Whether a tuple that did not fit before may fit since the latest growth of the arena. It would
   * have to reach into the new bytes. If all of these belong to one buffer that begins within the
   * old bytes, and the tuple's largest member interferes with that buffer, the largest member must
   * lie below that buffer, where it did not fit before.
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

  /**
   * Returns an offset within an edge that is free from the first begin to the last end of a tuple,
   * or {@link OffsetRanges#NONE}.
   */
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

  /**
   * Returns the offsets at which all intervals of a tuple find free bytes, with adjacent edges
   * merged.
   */
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

  /**
   * Returns the first of the bytes at the top of the arena that are free in all intervals of a
   * buffer.
   */
  private long freeTop(int buffer) {
    long begin = 0;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      begin = Math.max(begin, graph.freeBytes(i).beginOfLast(graph.top() - 1, graph.top()));
    }
    return begin;
  }

  /** The weight of a buffer: its size, padded to the common alignment if there are no windows. */
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
