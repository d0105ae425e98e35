package dev.sublet.loop;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locations of loop-carried variables in the first iteration, where these are none of the slots
 * of their rotations (a type II multi-view). O(accesses of the variables × nesting) each.
 */
final class InitialLocations {

  private final VariableFacts facts;
  private final PlainCopies copies;
  private final RepeatBudget budget;
  private final SlotAssignment slots;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;

  /** The variables whose initial location is the location of a web, by that web. */
  private final ListMultimap<Integer, Holder> holders = ArrayListMultimap.create();

  /**
   * A variable that starts a loop in the location of another one, instead of copying it.
   *
   * @param node the copy before the loop that is not needed
   */
  record Holder(int variable, int web, int node) {}

  InitialLocations(
      VariableFacts facts, PlainCopies copies, RepeatBudget budget, SlotAssignment slots) {
    this.facts = facts;
    this.copies = copies;
    this.budget = budget;
    this.slots = slots;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
  }

  /**
   * Returns the initial location of a follower, which is one of its own; null if the follower has
   * no value before the end of the first iteration.
   */
  @Nullable InitialLocation own(Region loop, Candidate follower) {
    int web = ranges.webAt(follower.target, 2 * loop.head());
    return web < 0 && follower.webAtStart < 0
        ? null
        : InitialLocation.ofItself(follower.target, web < 0 ? follower.webAtStart : web);
  }

  /**
   * Returns the location of the source of the copy before a loop, if the target can stay there in
   * the first iteration; else null. The source must keep its value for as long as the target may be
   * there.
   *
   * <pre>{@code
   * x = assign(p); while (c) { y = f(x); x = assign(y) }     iteration 0 reads x where p is
   * }</pre>
   *
   * <p>A loop around this one may carry the source and move it. That does no harm: the source moves
   * only at a loop-carried copy at the end of that loop's body, after the last use of the target.
   */
  @Nullable InitialLocation find(Region loop, Candidate member) {
    int web = member.webAtStart;
    int node = web < 0 ? -1 : (ranges.firstPoint(web) - 1) / 2;
    if (node < 0
        || ranges.firstPoint(web) % 2 == 0
        || node >= loop.head()
        || graph.regionOfNode(node) != loop.parent()
        || graph.regionAtExit(node) >= 0
        || graph.regionAtHead(node) >= 0
        || !copies.isOne(graph.operation(node))
        || graph.operation(node).output(0) != member.target
        || !mayHaveInitialLocation(loop)) {
      return null;
    }
    int source = graph.operation(node).input(0);
    int sourceWeb = ranges.webAt(source, 2 * node);
    boolean stays =
        sourceWeb >= 0
            && slots.isUnmoved(sourceWeb)
            && !graph.program().variable(source).isPersistable()
            && !graph.pinned().isUnplanned(source)
            && facts.areAlike(source, member.target)
            && !facts.isShadowed(source)
            && !isWritten(member.target, web, node, loop, member.node)
            && !isLeftByOtherLoop(source, sourceWeb, node)
            && !isWrittenIn(source, node + 1, (ranges.lastPoint(web) - 2) / 2);
    if (stays) {
      holders.put(sourceWeb, new Holder(member.target, web, node));
    }
    return stays ? new InitialLocation(node, source, sourceWeb) : null;
  }

  private boolean mayHaveInitialLocation(Region loop) {
    LoopCarryRules rules = new LoopCarryRules(facts, budget, loop);
    return rules.objectionToInitialLocation().isEmpty() && rules.objectionToRepeating().isEmpty();
  }

  /** Whether a web is written by other operators than the copies before and in the loop. */
  private boolean isWritten(int variable, int web, int before, Region loop, int inLoop) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access)
          && ranges.contains(web, 2 * node + 1)
          && node != before
          && node != inLoop
          && node != loop.exit()) {
        return true;
      }
    }
    return false;
  }

  private boolean isWrittenIn(int variable, int first, int last) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && first <= node && node <= last) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a loop that does not contain a node writes a web. Such a loop may leave the web in one
   * of several slots.
   */
  private boolean isLeftByOtherLoop(int variable, int web, int node) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int writer = accesses.node(access);
      if (!accesses.writes(access) || !ranges.contains(web, 2 * writer + 1)) {
        continue;
      }
      for (int r = graph.regionOfNode(writer); r > 0; r = graph.region(r).parent()) {
        Region region = graph.region(r);
        if (region.kind().isLoop() && (node < region.head() || node > region.exit())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The variables whose initial location is the location of a web. */
  List<Holder> holders(int web) {
    return holders.get(web);
  }
}
