package dev.sublet.loop;

import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.operator.spec.ControlKind;
import java.util.List;
import java.util.Optional;

/**
 * Loops one after the other that carry the same variables. A later loop goes on where the earlier
 * one has left the variables, so none of them is copied.
 *
 * <pre>{@code
 * while (c) { y = f(x); g(x); x = assign(y) }     n iterations: x in slot n - 1 (mod 2)
 * while (d) { z = h(x); g(x); x = assign(z) }     starts with x there, and z in the other slot
 * }</pre>
 *
 * <p>A plan has locations of the later loop for each slot in which the earlier one may leave a
 * variable. The analysis decides about later loops first.
 */
final class SuccessiveLoops {

  private static final String CHANGED = "it is changed after the loop";

  private final VariableFacts facts;
  private final RepeatBudget budget;
  private final SlotAssignment slots;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;

  SuccessiveLoops(VariableFacts facts, RepeatBudget budget, SlotAssignment slots) {
    this.facts = facts;
    this.budget = budget;
    this.slots = slots;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
  }

  /**
   * Returns the reason why the target of a copy cannot move in a loop because a later operator
   * writes it; empty if it can, or if there is no such operator. O(accesses of the target), and
   * O(nodes of each later loop that carries it).
   */
  Optional<String> objection(Region loop, Candidate candidate) {
    for (int region : laterRotations(candidate)) {
      if (!mayGoOn(loop, graph.region(region), candidate)) {
        return Optional.of(CHANGED);
      }
    }
    // The latest loop that goes on: its operator writes the target, too, at its exit.
    Region later = null;
    AccessTable accesses = graph.accesses();
    int target = candidate.target;
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && isLater(loop, candidate, node)) {
        later = slots.removed().get(node) ? graph.region(graph.regionOfNode(node)) : later;
        if (later == null || node > later.exit() || !mayGoOn(loop, later, candidate)) {
          return Optional.of(CHANGED);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the reason why a follower cannot share a slot with one of the members; empty if it can.
   */
  Optional<String> objectionToFollower(Region loop, List<Candidate> members, Candidate follower) {
    AccessTable accesses = graph.accesses();
    int target = follower.target;
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      if (accesses.writes(access) && isLater(loop, follower, accesses.node(access))) {
        return Optional.of(CHANGED);
      }
    }
    for (int later : after(loop, members)) {
      if (ranges.contains(follower.web, 2 * graph.region(later).head())) {
        return Optional.of("a later loop moves the value that they share");
      }
    }
    return Optional.empty();
  }

  /** Whether an access after a loop writes a value that is one web with the carried one. */
  private boolean isLater(Region loop, Candidate candidate, int node) {
    int web = node > loop.exit() ? ranges.webAt(candidate.target, 2 * node + 1) : -1;
    return web >= 0 && (web == candidate.web || web == candidate.webAtStart);
  }

  /** The loops, of those decided so far, that move the target of a copy. */
  private ImmutableSet<Integer> laterRotations(Candidate candidate) {
    ImmutableSet.Builder<Integer> regions = ImmutableSet.builder();
    for (int web : new int[] {candidate.web, candidate.webAtStart}) {
      RotationPosition position = web < 0 ? null : slots.position(web);
      for (; position != null; position = position.later()) {
        regions.add(position.buffers().region());
      }
    }
    return regions.build();
  }

  private boolean mayGoOn(Region loop, Region later, Candidate candidate) {
    if (later.kind() != ControlKind.WHILE
        || later.parent() != loop.parent()
        || later.head() < loop.exit()
        || !budget.mayShare(loop)
        || !budget.mayShare(later)) {
      return false;
    }
    RotationPosition position = slots.position(candidate.web);
    LoopCarryRules rules = new LoopCarryRules(facts, budget, later);
    return (position == null || position.first() == null)
        && rules.objectionToRepeating().isEmpty()
        && rules.objectionToInitialLocation().isEmpty();
  }

  /**
   * The later loops whose start depends on where a rotation of a loop leaves its variables.
   * O(accesses of its targets + pairs of loops that depend on each other).
   */
  ImmutableSet<Integer> after(Region loop, RotatingCopies rotation) {
    return rotation.mayCoalesce() ? ImmutableSet.of() : after(loop, rotation.members());
  }

  private ImmutableSet<Integer> after(Region loop, List<Candidate> members) {
    ImmutableSet.Builder<Integer> after = ImmutableSet.builder();
    AccessTable accesses = graph.accesses();
    for (Candidate member : members) {
      after.addAll(laterRotations(member));
      int target = member.target;
      for (int access = accesses.begin(target); access < accesses.end(target); access++) {
        int node = accesses.node(access);
        if (accesses.writes(access) && isLater(loop, member, node) && slots.removed().get(node)) {
          after.add(graph.regionOfNode(node));
        }
      }
    }
    ImmutableSet<Integer> direct = after.build();
    direct.forEach(later -> after.addAll(slots.dependents(later)));
    return after.build();
  }
}
