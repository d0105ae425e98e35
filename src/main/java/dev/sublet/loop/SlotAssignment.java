package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableTable;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Multiset;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Table;
import com.google.common.collect.TreeMultimap;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the webs of rotations to slots, one rotation after the other, and records the copies that
 * this makes unnecessary.
 *
 * <pre>{@code
 * y = f(x); x = assign(y)    1 slot: the webs of x and y become one
 *                            2 slots: y at shift 0 and x at shift -1 of new buffers
 * }</pre>
 *
 * <p>O(accesses of the rotation's variables × nesting depth) per rotation.
 */
final class SlotAssignment {

  private final VariableFacts facts;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final @Nullable RotationPosition[] positions;
  private final int[] mergedInto;
  private final BitSet mergeTargets = new BitSet();
  private final BitSet removed = new BitSet();
  private final ImmutableList.Builder<RotatingBuffers> allBuffers = ImmutableList.builder();
  private final ImmutableListMultimap.Builder<Integer, Integer> rootsTaking =
      ImmutableListMultimap.builder();

  /** The models of the rotations so far, each as often as there are rotations with this model. */
  private final Multiset<Integer> models = HashMultiset.create();

  /** The webs of the buffers. */
  private final SetMultimap<RotatingBuffers, Integer> websOf = LinkedHashMultimap.create();

  /** The loops whose first iteration has a copy of the body of its own. */
  private final BitSet peeled = new BitSet();

  /** By region: the earlier loops that decide where the region starts. */
  private final TreeMultimap<Integer, Integer> earlier = TreeMultimap.create();

  /** By buffers and slot: the slot of an earlier loop that it is. */
  private final Table<RotatingBuffers, Integer, EarlierSlot> earlierSlots = HashBasedTable.create();

  SlotAssignment(VariableFacts facts) {
    this.facts = facts;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
    this.positions = new @Nullable RotationPosition[ranges.webCount()];
    this.mergedInto = new int[ranges.webCount()];
    Arrays.fill(mergedInto, -1);
  }

  /** Whether no rotation so far moves a web, or makes it one with another web. */
  boolean isUnmoved(int web) {
    return positions[web] == null && mergedInto[web] < 0 && !mergeTargets.get(web);
  }

  boolean isInRotation(int web) {
    return positions[web] != null;
  }

  /** The position of a web in the first rotation so far that moves it; null if there is none. */
  @Nullable RotationPosition position(int web) {
    return positions[web];
  }

  /** By region: the earlier loops that decide where the region starts, in order. */
  ImmutableListMultimap<Integer, Integer> earlierLoops() {
    return ImmutableListMultimap.copyOf(earlier);
  }

  /** The loops whose start depends on where a loop leaves its variables, in order. */
  ImmutableSet<Integer> dependents(int loop) {
    ImmutableSet.Builder<Integer> dependents = ImmutableSet.builder();
    earlier.forEach(
        (region, each) -> {
          if (each == loop) {
            dependents.add(region);
          }
        });
    return dependents.build();
  }

  /** The webs that have slots, or that have become one. */
  WebDecisions webs() {
    return new WebDecisions(
        positions, mergedInto, rootsTaking.build(), ImmutableTable.copyOf(earlierSlots));
  }

  /** The nodes of the copies that are not needed. */
  BitSet removed() {
    return removed;
  }

  /** The buffers of all rotations, in order. */
  ImmutableList<RotatingBuffers> allBuffers() {
    return allBuffers.build();
  }

  /**
   * Records the decision about one rotation. If one slot suffices, and the target needs no location
   * or value besides, target and computed variable become one. Else the rotation gets its buffers,
   * and all its webs get their positions.
   *
   * @param isPeeled whether the first iteration of the loop has a copy of the body of its own
   * @param after the later loops that go on with the rotation
   * @param mayShare whether a plan is made, in which other values may share the bytes of a variable
   *     that has another definition outside the loop
   */
  void assign(
      Region loop,
      RotatingCopies rotation,
      boolean isPeeled,
      ImmutableSet<Integer> after,
      boolean mayShare) {
    Candidate only = rotation.members().get(0);
    // If the target has other values too, it cannot become one variable with the computed one.
    if (rotation.mayCoalesce() && only.first == null) {
      mergedInto[rotation.root()] = only.web;
      mergeTargets.set(only.web);
      removed.set(only.node);
      noteTaking(only, rotation.root());
      only.decide(LoopCarriedCopy.Decision.CO_ALLOCATED, 1, rotation.reason());
    } else {
      int[] bases = new int[rotation.length()];
      Arrays.fill(bases, -1);
      int model = outermost(rotation);
      RotatingBuffers buffers =
          new RotatingBuffers(loop.index(), bases, model, models.count(model));
      models.add(model);
      int start = isPeeled ? -1 : 0;
      allBuffers.add(buffers);
      for (Candidate member : rotation.members()) {
        // Two members may give a slot their names. The one that is there from the start takes
        // precedence.
        int named = buffers.slot(member.first == null ? start : 0, member.shift);
        boolean isTaken = bases[named] >= 0 && member.first != null;
        if (!isTaken && !(mayShare && isReused(member, loop))) {
          bases[named] = member.target;
        }
        move(member, buffers, rotation, rotation.reason());
      }
      for (Candidate follower : rotation.followers()) {
        move(
            follower,
            buffers,
            rotation,
            "another variable is carried the same value: they share it");
      }
      if (rotation.root() >= 0) {
        setPosition(rotation.root(), RotationPosition.inside(buffers, 0));
      }
      goOn(loop, rotation, after);
    }
    peeled.set(loop.index(), isPeeled);
  }

  /**
   * Lets later loops start with the variables of a rotation in the slots in which this loop leaves
   * them.
   */
  private void goOn(Region loop, RotatingCopies rotation, ImmutableSet<Integer> after) {
    for (int region : after) {
      earlier.put(region, loop.index());
    }
    Set<RotatingBuffers> laterBuffers = new LinkedHashSet<>();
    for (Candidate member : rotation.members()) {
      RotationPosition position = requireNonNull(positions[member.web]);
      RotationPosition later = position.later();
      if (later != null) {
        earlierSlots.put(
            later.buffers(), startOf(later), new EarlierSlot(position.buffers(), position.shift()));
        laterBuffers.add(later.buffers());
      }
    }
    RotatingBuffers buffers = requireNonNull(positions[rotation.members().get(0).web]).buffers();
    laterBuffers.forEach(later -> fillFree(later, buffers));
  }

  /** The slot in which a web is when its loop starts. */
  private int startOf(RotationPosition position) {
    RotatingBuffers buffers = position.buffers();
    return buffers.slot(peeled.get(buffers.region()) ? -1 : 0, position.shift());
  }

  /**
   * Lets the slots of a later loop that are free when it starts be slots of an earlier loop that
   * are free by then.
   */
  private void fillFree(RotatingBuffers later, RotatingBuffers buffers) {
    int head = 2 * graph.region(later.region()).head();
    BitSet isTaken = new BitSet();
    for (int web : websOf.get(later)) {
      if (ranges.contains(web, head)) {
        isTaken.set(startOf(positionIn(web, later)));
      }
    }
    BitSet isHeld = new BitSet();
    for (int web : websOf.get(buffers)) {
      if (ranges.contains(web, head)) {
        isHeld.set(buffers.slot(0, positionIn(web, buffers).shift()));
      }
    }
    for (EarlierSlot given : earlierSlots.values()) {
      if (given.buffers().equals(buffers)) {
        isHeld.set(given.slot(0));
      }
    }
    boolean areAlike = facts.areAlike(later.model(), buffers.model());
    for (int slot = 0; areAlike && slot < later.length(); slot++) {
      int free = isHeld.nextClearBit(0);
      if (!isTaken.get(slot) && !earlierSlots.contains(later, slot) && free < buffers.length()) {
        earlierSlots.put(later, slot, new EarlierSlot(buffers, free));
        isHeld.set(free);
      }
    }
  }

  private RotationPosition positionIn(int web, RotatingBuffers buffers) {
    RotationPosition position = requireNonNull(positions[web]);
    while (!position.buffers().equals(buffers)) {
      position = requireNonNull(position.later());
    }
    return position;
  }

  /**
   * The variable of a rotation that is declared outermost; of several, the first one. Its block
   * contains every use, so a slot that is declared there can be used everywhere.
   */
  private int outermost(RotatingCopies rotation) {
    int outermost = rotation.members().get(0).target;
    for (Candidate each : rotation.all()) {
      if (depth(each.target) < depth(outermost)) {
        outermost = each.target;
      }
    }
    return outermost;
  }

  private int depth(int variable) {
    int depth = 0;
    int region = graph.regionOfBlock(graph.program().variable(variable).block());
    for (; region > 0; region = graph.region(region).parent()) {
      depth++;
    }
    return depth;
  }

  /**
   * Whether a variable has another definition before or after its loop, even if only another loop's
   * operator lists it as written. Then other values may share the variable's bytes there. In a
   * plan, the slot must therefore not get the variable's name; a program puts every value back
   * under its own name.
   */
  private boolean isReused(Candidate member, Region loop) {
    AccessTable accesses = graph.accesses();
    int target = member.target;
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      int node = accesses.node(access);
      int web = accesses.writes(access) ? ranges.webAt(target, 2 * node + 1) : member.web;
      if (web != member.web && web != member.webAtStart && node != loop.exit()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives the webs of a copy's target and of its temporaries their positions, and removes the
   * copies.
   */
  private void move(
      Candidate member, RotatingBuffers buffers, RotatingCopies rotation, String reason) {
    setPosition(member.web, position(member, buffers, positions[member.web]));
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      setPosition(member.webAtStart, position(member, buffers, positions[member.webAtStart]));
    }
    removed.set(member.node);
    if (member.first != null && !member.first.isOwn()) {
      removed.set(member.first.copyNode());
    }
    for (LoopCarrySources.Temporary temporary : member.temporaries) {
      // The temporary has the value of the member's source.
      setPosition(temporary.web(), RotationPosition.inside(buffers, member.shift + 1));
      removed.set(temporary.node());
    }
    if (rotation.root() >= 0 && member.shift % rotation.length() == 0) {
      noteTaking(member, rotation.root());
    }
    member.decide(
        rotation.length() == 1
            ? LoopCarriedCopy.Decision.CO_ALLOCATED
            : LoopCarriedCopy.Decision.ROTATED,
        rotation.length(),
        reason);
  }

  private static RotationPosition position(
      Candidate member, RotatingBuffers buffers, @Nullable RotationPosition later) {
    return new RotationPosition(buffers, member.shift, member.node, member.first, later);
  }

  private void noteTaking(Candidate member, int root) {
    rootsTaking.put(member.web, root);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      rootsTaking.put(member.webAtStart, root);
    }
  }

  private void setPosition(int web, RotationPosition position) {
    positions[web] = position;
    websOf.put(position.buffers(), web);
  }
}
