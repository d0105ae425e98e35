package dev.sublet.loop;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multiset;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.Arrays;
import java.util.BitSet;
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

  SlotAssignment(VariableFacts facts) {
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

  /** The webs that have slots, or that have become one. */
  WebDecisions webs() {
    return new WebDecisions(positions, mergedInto, rootsTaking.build());
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
   * @param mayShare whether a plan is made, in which other values may share the bytes of a variable
   *     that has another definition outside the loop
   */
  void assign(Region loop, RotatingCopies rotation, boolean isPeeled, boolean mayShare) {
    Candidate only = rotation.members().get(0);
    // If the target has other values too, it cannot become one variable with the computed one.
    if (rotation.length() == 1
        && rotation.followers().isEmpty()
        && only.first == null
        && !only.holdsOthers) {
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
        setPosition(rotation.root(), new RotationPosition(buffers, 0, Integer.MAX_VALUE, null));
      }
    }
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
    RotationPosition position =
        new RotationPosition(buffers, member.shift, member.node, member.first);
    setPosition(member.web, position);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      setPosition(member.webAtStart, position);
    }
    removed.set(member.node);
    if (member.first != null && !member.first.isOwn()) {
      removed.set(member.first.copyNode());
    }
    for (LoopCarrySources.Temporary temporary : member.temporaries) {
      // The temporary has the value of the member's source.
      setPosition(
          temporary.web(),
          new RotationPosition(buffers, member.shift + 1, Integer.MAX_VALUE, null));
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

  private void noteTaking(Candidate member, int root) {
    rootsTaking.put(member.web, root);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      rootsTaking.put(member.webAtStart, root);
    }
  }

  private void setPosition(int web, RotationPosition position) {
    positions[web] = position;
  }
}
