package dev.sublet.placement.search;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the peaks of a placement that is too large to be searched as a whole.
 *
 * <p>It chooses a target below the current arena. Every buffer that ends above the target is placed
 * anew, together with buffers that are live around the same time, by a search in which all other
 * buffers stay in place. If this succeeds for all of them, the arena has become smaller. The first
 * target is half-way to the lower bound. After a failure the next target is closer to the current
 * arena.
 *
 * <p>Deterministic. Takes at most the given number of steps, and O(n log n) for each target. Not
 * for problems with windows, in which the windows of two buffers may interleave.
 *
 * <p>Source: large neighborhood search (Shaw 1998), with the search of {@link DepthFirstSearch}.
 */
final class PeakReduction {

  /**
   * The numbers of buffers that are placed anew together: few at first, then more if the search
   * fails.
   */
  private static final int[] NEIGHBORHOODS = {40, 120, 300};

  /** The maximum number of buffers in a search, including the neighbors that stay in place. */
  private static final int MAX_MEMBERS = 4000;

  private static final long STEPS_PER_SEARCH = 20_000;
  private static final int MAX_FAILURES = 3;
  private static final int MAX_DOUBLINGS = 12;
  private static final int MAX_POINT = Integer.MAX_VALUE;

  private static final SearchStrategy.Kind KIND = new SearchStrategy.Kind("TWA", 1, 1);

  private final PlanningProblem problem;
  private final IntervalIndex index;
  private final long lowerBound;
  private long[] offsets;
  private long arenaBytes;
  private long steps;
  private long nodes;
  private int[] found = new int[64];
  private final int[] stamps;
  private int stamp;

  private PeakReduction(PlanningProblem problem, Placement known, long steps) {
    this.problem = problem;
    this.index = new IntervalIndex(problem);
    this.lowerBound = known.lowerBound();
    this.offsets = known.offsets().toArray();
    this.arenaBytes = known.arenaBytes();
    this.steps = steps;
    this.stamps = new int[problem.bufferCount()];
  }

  /**
   * Returns a placement that is at least as small as the given one, found within the given steps.
   */
  static Placement repair(PlanningProblem problem, Placement known, long steps) {
    if (problem.hasWindows()) {
      return known;
    }
    PeakReduction repair = new PeakReduction(problem, known, steps);
    repair.run();
    return new Placement(
        known.planner(),
        ImmutableLongArray.copyOf(repair.offsets),
        repair.arenaBytes,
        known.lowerBound(),
        known.nodes() + repair.nodes);
  }

  private void run() {
    int failures = 0;
    while (lowerBound < arenaBytes && failures < MAX_FAILURES && steps > 0) {
      long gap = arenaBytes - lowerBound;
      long target = arenaBytes - Math.max(1, gap >> (1 + 2 * failures));
      long[] lowered = lower(target);
      if (lowered == null) {
        failures++;
      } else {
        offsets = lowered;
        arenaBytes = Placement.arenaBytes(problem, lowered);
        failures = 0;
      }
    }
  }

  /** Returns offsets within a target, or null if none were found. */
  private long @Nullable [] lower(long target) {
    long[] moved = offsets.clone();
    for (int buffer = 0; buffer < moved.length; buffer++) {
      if (moved[buffer] + problem.size(buffer) > target && !lower(buffer, target, moved)) {
        return null;
      }
    }
    return moved;
  }

  private boolean lower(int buffer, long target, long[] moved) {
    for (int size : NEIGHBORHOODS) {
      if (steps > 0 && lower(buffer, size, target, moved)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Places a buffer anew, in a group of {@code size} buffers around it. Returns false if it fails.
   */
  private boolean lower(int buffer, int size, long target, long[] moved) {
    int[] free = around(buffer, size, target, moved);
    int[] all = withNeighbors(free);
    if (all.length > MAX_MEMBERS) {
      return false;
    }
    SearchModel model = SearchModel.of(part(all, free.length, moved), arenaBytes);
    if (model == null) {
      return false;
    }
    SearchStrategy member = new SearchStrategy(model, new SearchOrders(model), KIND);
    long left = Math.min(steps, STEPS_PER_SEARCH);
    while (left > 0 && member.outcome() == DepthFirstSearch.Outcome.RUNNING) {
      long taken = Math.max(1, member.run(target, target + 1, left));
      left -= taken;
      steps -= taken;
    }
    nodes += member.nodes();
    if (member.outcome() != DepthFirstSearch.Outcome.FOUND) {
      return false;
    }
    long[] found = member.offsets();
    for (int i = 0; i < free.length; i++) {
      moved[free[i]] = found[i];
    }
    return true;
  }

  /**
   * Returns a buffer and others that are live around the same time: first those that end above the
   * target, then those that are live for the fewest points outside that time.
   */
  private int[] around(int buffer, int size, long target, long[] moved) {
    long begin = problem.firstPoint(buffer);
    long end = problem.lastPoint(buffer);
    int hits = 0;
    for (int doubling = 0; doubling < MAX_DOUBLINGS && hits < size; doubling++) {
      found = index.collect((int) Math.max(0, begin), (int) Math.min(MAX_POINT, end), found, 0);
      hits = unite(index.hits());
      long length = end - begin;
      begin -= length / 2 + 1;
      end += length / 2 + 1;
    }
    long from = begin;
    long to = end;
    return Arrays.stream(found, 0, hits)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(b -> b == buffer ? 0 : 1)
                .thenComparingInt(b -> moved[b] + problem.size(b) > target ? 0 : 1)
                .thenComparingLong(b -> outside(b, from, to))
                .thenComparingInt(b -> b))
        .limit(size)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private long outside(int buffer, long begin, long end) {
    return Math.max(0, begin - problem.firstPoint(buffer))
        + Math.max(0, problem.lastPoint(buffer) - end);
  }

  /** Returns the given buffers, followed by all others that are live together with one of them. */
  private int[] withNeighbors(int[] free) {
    int hits = 0;
    if (found.length < free.length) {
      found = new int[2 * free.length];
    }
    for (int buffer : free) {
      found[hits++] = buffer;
    }
    for (int buffer : free) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        found = index.collect(problem.begin(i), problem.end(i), found, hits);
        hits = unite(index.hits());
      }
    }
    return Arrays.copyOf(found, hits);
  }

  /**
   * Removes duplicates among the buffers found, and returns the number of buffers that are left.
   */
  private int unite(int hits) {
    stamp++;
    int kept = 0;
    for (int i = 0; i < hits; i++) {
      if (stamps[found[i]] != stamp) {
        stamps[found[i]] = stamp;
        found[kept++] = found[i];
      }
    }
    return kept;
  }

  /**
   * Returns the problem of some buffers, of which all but the first {@code free} are pinned in
   * place.
   */
  private PlanningProblem part(int[] buffers, int free, long[] moved) {
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    for (int i = 0; i < buffers.length; i++) {
      int b = buffers[i];
      long pin = i < free ? problem.pin(b) : moved[b];
      builder.addBuffer(problem.size(b), problem.alignment(b), pin);
      for (int k = problem.firstInterval(b); k < problem.endInterval(b); k++) {
        builder.addInterval(problem.begin(k), problem.end(k));
      }
    }
    return builder.build();
  }
}
