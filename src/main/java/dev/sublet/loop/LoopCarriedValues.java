package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a program's loops carry from one iteration to the next, and what becomes of each copy.
 *
 * <p>A carry is a copy in a {@code while} body, not in a branch of it, that writes a variable from
 * outside the body for the last time of the iteration; in a program that is to run, for the only
 * time. A copy is an {@code assign}; in a plan also a reshape to the shape that the value has. Its
 * value is followed back through other carries and through temporaries: to something that the
 * iteration computes (a chain: {@code x1 ≤ x0}, {@code x0 ≤ y}) or round in a circle (a swap or a
 * longer permutation).
 *
 * <p>How many places a chain needs: let D be the greatest number of iterations after which a value
 * is read, and q the operator that reads it last then. The operator p that computes the value of
 * iteration m takes the place of the value of iteration m − R, last read in iteration m − R + D. So
 * R = D suffices if q comes before p, or is p and may work in place; else R = D + 1. Variables that
 * see different values at the loop's exit also need as many places as there are of them. With R = 1
 * nothing moves: the two variables are one.
 *
 * <p>A permutation cycle of l variables, x(k) ≤ x(k + 1) with k modulo l, needs l places and l
 * iterations. Nothing is computed: the l values that are there when the loop starts are there in
 * every iteration, and while one of them may still be read no two can share a place; so l places
 * are needed. They suffice: let x(k) be in place (n + k) mod l in iteration n. In iteration n + 1
 * it is in place (n + 1 + k) mod l, which is where x(k + 1) was in iteration n, so the copy finds
 * source and target at one place; for one n the places differ, as the k do; and nobody writes
 * there, as the copies are the cycle's only writes. Fewer than l iterations cannot bring it back:
 * after r of them x(k) is in place (n + r + k) mod l, which is its first one only if l divides r.
 * So the body is repeated l times, and since with rings of lengths l1, l2, … all are back only
 * after a multiple of each, that is their least common multiple, a loop is repeated so often.
 *
 * <p>If several variables get one value, one of them takes part in the ring from the start. The
 * others, its guests, start with values of their own, so they are in places of their own before the
 * first iteration has ended (type II), and then where the first one is: nobody writes a carried
 * variable but its copy, so it makes no difference that they are at one place. D is that of all of
 * them, and p may not work in place if q reads the value as two of them.
 *
 * <p>A copy stays if it copies from a guest, whose first value is in none of the ring's places, if
 * its value comes from outside the loop, is of another size or kind, or if the variable would be
 * somewhere else when the loop is entered again, or is written behind the loop.
 */
public final class LoopCarriedValues {

  /** A loop is not repeated more often than this. */
  public static final int MAX_REPEAT = 64;

  private final Liveness liveness;
  private final ImmutableList<LoopCarriedCopies> loops;
  private final @Nullable RotationPosition[] positions;
  private final int[] mergedInto;
  private final BitSet removed;
  private final int[] repeats;
  private final boolean[] peeled;
  private final ImmutableList<RotatingBuffers> allBuffers;
  private final ImmutableListMultimap<Integer, Integer> rootsTaking;

  LoopCarriedValues(
      Liveness liveness,
      ImmutableList<LoopCarriedCopies> loops,
      @Nullable RotationPosition[] positions,
      int[] mergedInto,
      BitSet removed,
      int[] repeats,
      boolean[] peeled,
      ImmutableList<RotatingBuffers> allBuffers,
      ImmutableListMultimap<Integer, Integer> rootsTaking) {
    this.liveness = liveness;
    this.loops = loops;
    this.positions = positions;
    this.mergedInto = mergedInto;
    this.removed = removed;
    this.repeats = repeats;
    this.peeled = peeled;
    this.allBuffers = allBuffers;
    this.rootsTaking = rootsTaking;
  }

  /**
   * Finds the carries of all loops, for a plan. O(accesses × nesting depth), for each loop times
   * the number of times that refusing one carry changes others.
   *
   * @param maxRepeat how often a loop may be repeated; 1 for no more than giving two variables one
   *     name
   */
  public static LoopCarriedValues find(ProgramFacts facts, int maxRepeat) {
    return new LoopCarryAnalysis(
            facts,
            maxRepeat,
            /* withFirst= */ false,
            /* mayShare= */ maxRepeat > 1,
            ImmutableSet.of())
        .find();
  }

  /**
   * The same for a program that is to run as it is: of several variables that get the same value
   * one moves, the others are copied to.
   */
  public static LoopCarriedValues findForProgram(ProgramFacts facts, int maxRepeat) {
    return new LoopCarryAnalysis(
            facts, maxRepeat, /* withFirst= */ false, /* mayShare= */ false, ImmutableSet.of())
        .find();
  }

  /**
   * The same for a plan: also a variable that is copied from another one before a loop is where
   * that one is in the loop's first iteration, if the other one stays as it is. That saves a copy a
   * run of the loop, and can cost bytes.
   */
  public static LoopCarriedValues findWithFirstPlaces(ProgramFacts facts) {
    return new LoopCarryAnalysis(
            facts, MAX_REPEAT, /* withFirst= */ true, /* mayShare= */ true, ImmutableSet.of())
        .find();
  }

  /**
   * The same for a plan, with some loops in which nothing moves: there copies stay, unless their
   * variables are never needed at the same time.
   *
   * @param staying the loops' regions
   */
  public static LoopCarriedValues findExcept(ImmutableSet<Integer> staying, ProgramFacts facts) {
    return new LoopCarryAnalysis(
            facts, MAX_REPEAT, /* withFirst= */ false, /* mayShare= */ true, staying)
        .find();
  }

  /** The loops that carry something, outer loops before those inside them. */
  public ImmutableList<LoopCarriedCopies> loops() {
    return loops;
  }

  /** Whether anything rotates. */
  public boolean areRotating() {
    return loops.stream().anyMatch(LoopCarriedCopies::isRotating);
  }

  /**
   * The program with loops repeated, as a planner wants it: not to be run, see {@link
   * UnrolledProgram}. O(size of the result).
   */
  public UnrolledProgram unrollForPlanning() {
    return UnrollLoops.unroll(this, PlanningForm::new);
  }

  /** The program with loops repeated, as any runtime can run it. O(size of the result). */
  public UnrolledProgram unroll() {
    return UnrollLoops.unroll(this, ExecutionForm::new);
  }

  /** Whether any copy becomes unneeded. */
  public boolean areRemovable() {
    return !removed.isEmpty();
  }

  /** The rings of all loops. */
  ImmutableList<RotatingBuffers> allBuffers() {
    return allBuffers;
  }

  /** The liveness that they were found by. */
  public Liveness liveness() {
    return liveness;
  }

  /** The webs of a variable. */
  ImmutableList<Integer> websOf(int variable) {
    LiveRanges ranges = liveness.ranges();
    ImmutableList.Builder<Integer> webs = ImmutableList.builder();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      webs.add(web);
    }
    return webs.build();
  }

  /** What a web has to do with a ring, if anything. */
  @Nullable RotationPosition position(int web) {
    return positions[web];
  }

  /** The places of a ring that are read behind its loop if that is left before a phase. */
  Set<Integer> placesBehind(RotatingBuffers buffers, int phase) {
    Set<Integer> places = new HashSet<>();
    LiveRanges ranges = liveness.ranges();
    int exit = liveness.graph().region(buffers.region()).exit();
    for (LoopCarriedCopies loop : loops) {
      if (loop.region() == buffers.region()) {
        for (LoopCarriedCopy carry : loop.carries()) {
          int web = ranges.webAt(carry.target(), 2 * exit);
          @Nullable RotationPosition position = web < 0 ? null : positions[web];
          boolean isElsewhere =
              position != null && position.first() != null && phase == firstPhase(loop.region());
          if (position != null && position.buffers().equals(buffers) && !isElsewhere) {
            places.add(buffers.slot(phase, position.shift()));
          }
        }
      }
    }
    return places;
  }

  /**
   * The variables whose places of their own, before the first iteration, are not read behind a loop
   * if that is left before a phase.
   */
  Set<Integer> leftPlaces(int region, int phase) {
    Set<Integer> left = new LinkedHashSet<>();
    for (LoopCarriedCopies loop : loops) {
      for (LoopCarriedCopy carry : loop.carries()) {
        int web =
            liveness.ranges().webAt(carry.target(), 2 * liveness.graph().region(region).exit());
        @Nullable RotationPosition position = web < 0 ? null : positions[web];
        // What this loop leaves may be what another one behind it starts with: that one's matter.
        InitialLocation first =
            position == null || position.buffers().region() != region ? null : position.first();
        if (loop.region() == region
            && first != null
            && first.isOwn()
            && phase > firstPhase(region)) {
          left.add(carry.target());
        }
      }
    }
    return left;
  }

  /** The web that a co-allocated one becomes part of, or -1. */
  int mergedInto(int web) {
    return mergedInto[web];
  }

  /** The webs that are computed in the place of a web's value, as the value is not needed then. */
  ImmutableList<Integer> rootsTaking(int web) {
    return rootsTaking.get(web);
  }

  /** Whether the copy at a node is not needed any more. */
  boolean isRemoved(int node) {
    return removed.get(node);
  }

  /** Whether any variable is not copied before a loop, see {@link #findWithFirstPlaces}. */
  public boolean haveFirstPlaces() {
    for (@Nullable RotationPosition position : positions) {
      if (position != null && position.first() != null && !position.first().isOwn()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the first iteration of a region is a copy of its own, with phase -1. */
  boolean isPeeled(int region) {
    return peeled[region];
  }

  /** The phase of the first iteration of a region. */
  int firstPhase(int region) {
    return peeled[region] ? -1 : 0;
  }

  /** Whether a region has several copies. */
  boolean isRepeated(int region) {
    return repeats[region] > 1 || peeled[region];
  }

  /**
   * The iterations after which everything in a region is back where it was; 1 if it never moves.
   */
  int repeat(int region) {
    return repeats[region];
  }
}
