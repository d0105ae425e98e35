package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
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
 * The copies with which a program's loops hand values to their next iteration, and the decision
 * about each copy.
 *
 * <p>A loop-carried copy stands in the body of a {@code while}, not in a branch of it, and writes a
 * variable from outside the body for the last time of the iteration; in a program that is to run,
 * for the only time. A copy is an {@code assign}; in a plan also a reshape to the shape that the
 * value has. The analysis follows the copied value back through other loop-carried copies and
 * through temporaries. It ends at an operator that computes the value in the iteration (a chain),
 * or where it started (a cycle: a swap or a longer permutation).
 *
 * <pre>{@code
 * y = f(x0); x1 = assign(x0); x0 = assign(y)      chain  y → x0 → x1
 * t = assign(a); a = assign(b); b = assign(t)     cycle  a ⇄ b
 * }</pre>
 *
 * <p>The number of slots R of a chain: let D be the greatest number of iterations after which a
 * value is read, and q the operator that reads it last then. Let p be the operator that computes
 * the value. In iteration m, p writes to the slot of the value of iteration m − R, which is last
 * read in iteration m − R + D. So R = D suffices if q comes before p, or if q is p and p may work
 * in place; else R = D + 1. Variables that have different values at the loop's exit also need as
 * many slots as there are of them. With R = 1 nothing moves: the two variables become one.
 *
 * <p>A permutation cycle of l variables, x(k) = assign(x(k + 1)) with k modulo l, needs l slots and
 * l iterations. The proof:
 *
 * <ul>
 *   <li>l slots are needed. Nothing is computed: the l values that are there when the loop starts
 *       are there in every iteration, and while a value may still be read it shares its slot with
 *       no other.
 *   <li>l slots suffice. Let x(k) be in slot (n + k) mod l in iteration n. In iteration n + 1 it is
 *       in slot (n + 1 + k) mod l, the slot of x(k + 1) in iteration n. So source and target of the
 *       copy are in one slot. In one iteration the slots differ, as the k do, and no operator
 *       writes there, because the copies are the cycle's only writes.
 *   <li>l iterations are needed. After r of them x(k) is in slot (n + r + k) mod l. That is its
 *       first slot only if l divides r.
 * </ul>
 *
 * <p>So the body is repeated l times. With several rotations of lengths l1, l2, … all values are
 * back in their slots only after a multiple of each length, so the number of copies of the body is
 * the least common multiple of the lengths.
 *
 * <p>If several variables get one value, one of them is a member of the rotation from the start.
 * The others, the followers of its {@link PhiClass}, start with values of their own. They are in
 * locations of their own until the first iteration has ended (type II), and then in the member's
 * slot. They may share it because only its copy writes a loop-carried variable. D is then the
 * greatest one of all these variables, and p may not work in place if q reads the value through two
 * of them.
 *
 * <p>A copy stays in these cases: it copies from a follower, whose first value is in none of the
 * slots; its value comes from outside the loop; its value is of another size or kind; the variable
 * would be somewhere else when the loop is entered again; or the variable is written after the
 * loop, and not only by copies that a later loop saves too ({@link SuccessiveLoops}).
 */
public final class LoopCarriedValues {

  /** The greatest number of times that a loop body is repeated. */
  public static final int MAX_REPEAT = 64;

  private final Liveness liveness;
  private final ImmutableList<LoopCarriedCopies> loops;
  private final WebDecisions webs;
  private final BitSet removed;
  private final BodyCopies bodies;
  private final ImmutableList<RotatingBuffers> allBuffers;

  LoopCarriedValues(
      Liveness liveness,
      ImmutableList<LoopCarriedCopies> loops,
      WebDecisions webs,
      BitSet removed,
      BodyCopies bodies,
      ImmutableList<RotatingBuffers> allBuffers) {
    this.liveness = liveness;
    this.loops = loops;
    this.webs = webs;
    this.removed = removed;
    this.bodies = bodies;
    this.allBuffers = allBuffers;
  }

  /**
   * Finds the loop-carried copies of all loops, for a plan. O(accesses × nesting depth), for each
   * loop times the number of times that refusing one copy changes the decisions about others.
   *
   * @param maxRepeat how often a loop may be repeated; 1 only lets two variables become one
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
   * Finds the loop-carried copies for a program that is to run as it is. If several variables get
   * the same value, one of them moves, and the others are copied to. The cost is that of {@link
   * #find}.
   */
  public static LoopCarriedValues findForProgram(ProgramFacts facts, int maxRepeat) {
    return new LoopCarryAnalysis(
            facts, maxRepeat, /* withFirst= */ false, /* mayShare= */ false, ImmutableSet.of())
        .find();
  }

  /**
   * Finds the loop-carried copies for a plan with initial locations: a variable that is copied from
   * another one before a loop stays at the location of its source in the loop's first iteration, if
   * the source keeps its value. That saves one copy per run of the loop, and can cost bytes.
   */
  public static LoopCarriedValues findWithInitialLocations(ProgramFacts facts) {
    return new LoopCarryAnalysis(
            facts, MAX_REPEAT, /* withFirst= */ true, /* mayShare= */ true, ImmutableSet.of())
        .find();
  }

  /**
   * Finds the loop-carried copies for a plan in which nothing moves in some loops. There copies
   * stay, unless their variables are never needed at the same time.
   *
   * @param staying the regions of these loops
   */
  public static LoopCarriedValues findExcept(ImmutableSet<Integer> staying, ProgramFacts facts) {
    return new LoopCarryAnalysis(
            facts, MAX_REPEAT, /* withFirst= */ false, /* mayShare= */ true, staying)
        .find();
  }

  /** The loops with loop-carried copies, outer loops before the loops inside them. */
  public ImmutableList<LoopCarriedCopies> loops() {
    return loops;
  }

  /** Whether any value rotates. */
  public boolean areRotating() {
    return loops.stream().anyMatch(LoopCarriedCopies::isRotating);
  }

  /** Whether any copy is removed. */
  public boolean areRemovable() {
    return !removed.isEmpty();
  }

  /** The rotating buffers of all loops. */
  public ImmutableList<RotatingBuffers> allBuffers() {
    return allBuffers;
  }

  /** The liveness of the original program. */
  public Liveness liveness() {
    return liveness;
  }

  /** The webs of a variable. */
  public ImmutableList<Integer> websOf(int variable) {
    LiveRanges ranges = liveness.ranges();
    ImmutableList.Builder<Integer> webs = ImmutableList.builder();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      webs.add(web);
    }
    return webs.build();
  }

  /**
   * The sources and targets of the removed copies: the variables of rotating buffers, the coalesced
   * variables, and the variables that are computed in another variable's slot. O(variables + webs).
   */
  public BitSet uncopiedVariables() {
    BitSet variables = new BitSet();
    LiveRanges ranges = liveness.ranges();
    BitSet others = new BitSet();
    for (int web : webs.mergedInto) {
      if (web >= 0) {
        others.set(web);
      }
    }
    webs.rootsTaking.values().forEach(others::set);
    for (int variable = 0; variable < liveness.graph().program().variableCount(); variable++) {
      for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
        if (webs.positions[web] != null || webs.mergedInto[web] >= 0 || others.get(web)) {
          variables.set(variable);
        }
      }
    }
    return variables;
  }

  /** The positions of a web in rotations, one for each loop that moves the web, in order. */
  public ImmutableList<RotationPosition> positions(int web) {
    ImmutableList.Builder<RotationPosition> positions = ImmutableList.builder();
    for (RotationPosition position = webs.positions[web]; position != null; ) {
      positions.add(position);
      position = position.later();
    }
    return positions.build();
  }

  /**
   * The position of a web at a node: that in the last loop that moves the web and begins at or
   * before the node; before the first such loop, the position in that loop; null if no loop moves
   * the web.
   */
  public @Nullable RotationPosition position(int web, int node) {
    RotationPosition position = webs.positions[web];
    while (position != null
        && position.later() != null
        && headOf(position.later().buffers()) <= node) {
      position = position.later();
    }
    return position;
  }

  private int headOf(RotatingBuffers buffers) {
    return liveness.graph().region(buffers.region()).head();
  }

  /** The slot of an earlier loop that a slot is; null if the slot is one of its own. */
  public @Nullable EarlierSlot earlierSlot(RotatingBuffers buffers, int slot) {
    return webs.earlierSlots.get(buffers, slot);
  }

  /** The earlier loops that decide where the variables are when a loop starts, in order. */
  public ImmutableList<Integer> earlierLoops(int region) {
    return bodies.earlier.get(region);
  }

  /** The slots of a rotation that are read after its loop, if the loop is left before a phase. */
  public Set<Integer> slotsReadAfter(RotatingBuffers buffers, int phase) {
    Set<Integer> slots = new HashSet<>();
    LiveRanges ranges = liveness.ranges();
    int exit = liveness.graph().region(buffers.region()).exit();
    for (LoopCarriedCopies loop : loops) {
      if (loop.region() == buffers.region()) {
        for (LoopCarriedCopy carry : loop.carries()) {
          int web = ranges.webAt(carry.target(), 2 * exit);
          @Nullable RotationPosition position = web < 0 ? null : position(web, exit);
          boolean isElsewhere =
              position != null && position.first() != null && phase == firstPhase(loop.region());
          if (position != null && position.buffers().equals(buffers) && !isElsewhere) {
            slots.add(buffers.slot(phase, position.shift()));
          }
        }
      }
    }
    return slots;
  }

  /**
   * The variables whose initial locations of their own are not read after a loop, if the loop is
   * left before a phase.
   */
  public Set<Integer> initialLocationsLeft(int region, int phase) {
    Set<Integer> left = new LinkedHashSet<>();
    for (LoopCarriedCopies loop : loops) {
      for (LoopCarriedCopy carry : loop.carries()) {
        int exit = liveness.graph().region(region).exit();
        int web = liveness.ranges().webAt(carry.target(), 2 * exit);
        @Nullable RotationPosition position = web < 0 ? null : position(web, exit);
        // A later loop may start with the web that this loop leaves. That loop's locations do not
        // count here.
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

  /** The web that a coalesced web becomes part of; -1 if the web is not coalesced. */
  public int mergedInto(int web) {
    return webs.mergedInto[web];
  }

  /**
   * The webs that are computed in the slot of a web's value, because that value is not needed then.
   */
  public ImmutableList<Integer> rootsTaking(int web) {
    return webs.rootsTaking.get(web);
  }

  /** Whether the copy at a node is removed. */
  public boolean isRemoved(int node) {
    return removed.get(node);
  }

  /** Whether any copy before a loop is not needed, see {@link #findWithInitialLocations}. */
  public boolean haveInitialLocations() {
    for (int web = 0; web < webs.positions.length; web++) {
      for (RotationPosition position : positions(web)) {
        if (position.first() != null && !position.first().isOwn()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether a variable of a region has an initial location, so that the first iteration has a copy
   * of the body of its own, with phase -1.
   */
  public boolean hasInitialLocation(int region) {
    return bodies.hasInitialLocation[region];
  }

  /** The phase of the first iteration of a region. */
  public int firstPhase(int region) {
    return bodies.hasInitialLocation[region] ? -1 : 0;
  }

  /** Whether an unrolled program has several copies of a region's body. */
  public boolean isRepeated(int region) {
    return bodies.repeats[region] > 1
        || bodies.hasInitialLocation[region]
        || bodies.earlier.containsKey(region);
  }

  /**
   * The number of iterations after which every value of a region is back in its slot; 1 if none
   * moves.
   */
  public int repeat(int region) {
    return bodies.repeats[region];
  }
}
