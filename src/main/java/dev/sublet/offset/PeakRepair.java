package dev.sublet.offset;

import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;

/**
 * Lowers the peaks of a placement that is too large to be searched as a whole.
 *
 * <p>A target below the present arena is chosen, and every buffer that ends above it is placed anew
 * together with those that live around the same time, by a search in which everything else stays
 * where it is. If that succeeds for all of them the arena has become smaller. Targets begin half-way
 * to the lower bound; one that cannot be reached is moved towards the present arena.
 *
 * <p>Deterministic; takes at most the steps that it is given, and O(n log n) for each target. Not
 * for problems with windows, whose buffers may lie within each other's stretches.
 *
 * <p>Source: large neighbourhood search (Shaw 1998), with the search of {@link DepthFirstSearch}.
 */
final class PeakRepair {

  /** How many buffers are placed anew together: few at first, more if that does not help. */
  private static final int[] NEIGHBOURHOODS = {40, 120, 300};

  /** A buffer that lives together with more than so many is not worth a search. */
  private static final int MAX_FIXED = 4000;

  private static final long STEPS_PER_SEARCH = 20_000;
  private static final int MAX_FAILURES = 3;

  private static final SearchMember.Kind KIND = new SearchMember.Kind("TWA", 1, 1, 1000);

  private final PlanningProblem problem;
  private final IntervalIndex index;
  private final long lowerBound;
  private long[] offsets;
  private long arenaBytes;
  private long steps;
  private long nodes;

  private PeakRepair(PlanningProblem problem, Placement known, long steps) {
    this.problem = problem;
    this.index = new IntervalIndex(problem);
    this.lowerBound = known.lowerBound();
    this.offsets = known.offsets().toArray();
    this.arenaBytes = known.arenaBytes();
    this.steps = steps;
  }

  /** A placement that is at least as small as the given one, within so many steps. */
  static Placement repair(PlanningProblem problem, Placement known, long steps) {
    if (problem.hasWindows()) {
      return known;
    }
    PeakRepair repair = new PeakRepair(problem, known, steps);
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

  /** Places a buffer and those around it anew. */
  private boolean lower(int buffer, int size, long target, long[] moved) {
    int[] free = around(buffer, size, target, moved);
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    boolean[] isFree = new boolean[free.length];
    int[] members = membersWith(free, isFree);
    if (members.length > MAX_FIXED) {
      return false;
    }
    for (int i = 0; i < members.length; i++) {
      long pin = isFree(members[i], free) ? problem.pin(members[i]) : moved[members[i]];
      builder.addBuffer(problem.size(members[i]), problem.alignment(members[i]), pin);
      for (int k = problem.firstInterval(members[i]); k < problem.endInterval(members[i]); k++) {
        builder.addInterval(problem.begin(k), problem.end(k));
      }
    }
    SearchModel model = SearchModel.of(builder.build(), arenaBytes);
    if (model == null) {
      return false;
    }
    SearchMember member = new SearchMember(model, new SearchOrders(model), KIND);
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
    for (int i = 0; i < members.length; i++) {
      moved[members[i]] = found[i];
    }
    return true;
  }
}
