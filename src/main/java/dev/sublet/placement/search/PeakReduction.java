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
 * <p>A target below the present arena is chosen, and every buffer that ends above it is placed anew
 * together with those that live around the same time, by a search in which everything else stays
 * where it is. If that succeeds for all of them the arena has become smaller. Targets begin
 * half-way to the lower bound; one that cannot be reached is moved towards the present arena.
 *
 * <p>Deterministic; takes at most the steps that it is given, and O(n log n) for each target. Not
 * for problems with windows, whose buffers may lie within each other's stretches.
 *
 * <p>Source: large neighbourhood search (Shaw 1998), with the search of {@link DepthFirstSearch}.
 */
final class PeakReduction {

  /** How many buffers are placed anew together: few at first, more if that does not help. */
  private static final int[] NEIGHBOURHOODS = {40, 120, 300};

  /** Buffers that live together with more than so many are not worth a search. */
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

  /** A placement that is at least as small as the given one, within so many steps. */
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

  /** Offsets within a target, or null if none were found. */
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
    for (int size : NEIGHBOURHOODS) {
      if (steps > 0 && lower(buffer, size, target, moved)) {
        return true;
      }
    }
    return false;
  }

  /** Places a buffer and so many around it anew. */
  private boolean lower(int buffer, int size, long target, long[] moved) {
    int[] free = around(buffer, size, target, moved);
    int[] all = withNeighbours(free);
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
   * A buffer and others that live around the same time: those above the target, then those that are
   * live least outside that time.
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

  /** The given buffers, and behind them all others that are live together with one of them. */
  private int[] withNeighbours(int[] free) {
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

  /** Drops what is found twice; returns how many are left. */
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

  /** The problem of some buffers, of which all but the first few stay where they are. */
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
