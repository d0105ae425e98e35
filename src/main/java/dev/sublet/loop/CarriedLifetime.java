package dev.sublet.loop;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.BitSet;
import java.util.List;

/**
 * The lifetime of the value that a chain of loop-carried copies hands on, counted in iterations,
 * and the number of slots that this lifetime needs.
 *
 * <pre>{@code
 * y = f(x); g(x); x = assign(y)     y is last read one iteration later, by g, after f: 2 slots
 * g(x); y = f(x); x = assign(y)     y is last read one iteration later, by f: 1 slot if in place
 * }</pre>
 */
final class CarriedLifetime {

  private final VariableFacts facts;
  private final InitialLocations firsts;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Region loop;
  private final BitSet removed;

  /** The variable in which the value is computed. */
  private final int root;

  /** The operator of the body that computes the value. */
  private final int writer;

  /** The number of iterations between the computation of a value and its last read. */
  private int iterations;

  /** The operator of the body that reads the value last. */
  private int reader = -1;

  /** The variable through which the last reader reads the value. */
  private int seenAs = -1;

  /**
   * Whether the last reader reads the value through another variable too. Then it may not compute
   * in place.
   */
  private boolean isSeenTwice;

  private CarriedLifetime(
      VariableFacts facts,
      InitialLocations firsts,
      Region loop,
      BitSet removed,
      int root,
      int webOfRoot) {
    this.facts = facts;
    this.firsts = firsts;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
    this.loop = loop;
    this.removed = removed;
    this.root = root;
    this.writer = outermost(ranges.firstPoint(webOfRoot) / 2, /* last= */ false);
  }

  /**
   * Computes the lifetime of a chain. O(accesses of its variables).
   *
   * @param root the variable in which the value is computed
   * @param removed the copies that will not run
   */
  static CarriedLifetime of(
      VariableFacts facts,
      InitialLocations firsts,
      Region loop,
      PhiClass phiClass,
      int root,
      BitSet removed) {
    List<Candidate> chain = phiClass.members();
    int web = chain.get(0).root;
    CarriedLifetime need = new CarriedLifetime(facts, firsts, loop, removed, root, web);
    need.addReads(root, web, 0);
    chain.forEach(need::addReads);
    phiClass.admitted().forEach(need::addReads);
    return need;
  }

  private void addReads(Candidate member) {
    int position = -1 - member.shift;
    addReads(member, position);
    for (LoopCarrySources.Temporary temporary : member.temporaries) {
      addReads(temporary.variable(), temporary.web(), position);
    }
  }

  private void addReads(int variable, int web, int afterIterations) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.reads(access) && ranges.contains(web, 2 * node)) {
        add(afterIterations, node, variable);
      }
    }
    for (InitialLocations.Holder holder : firsts.holders(web)) {
      addHeldReads(holder, afterIterations);
    }
  }

  /**
   * Adds the reads of a variable whose initial location, in an inner loop, is the value's slot. If
   * that loop does not iterate, the variable stays in the slot until its last read. Since it is not
   * always there, no operator may compute in place on it.
   */
  private void addHeldReads(InitialLocations.Holder holder, int afterIterations) {
    AccessTable accesses = graph.accesses();
    int variable = holder.variable();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.reads(access) && ranges.contains(holder.web(), 2 * node)) {
        add(afterIterations, node, variable);
        isSeenTwice |= afterIterations == iterations && seenAs == variable;
      }
    }
  }

  /**
   * Adds the reads of a copy's target. Before the copy, the target has the value that was computed
   * one iteration earlier than the value after the copy.
   */
  private void addReads(Candidate member, int position) {
    AccessTable accesses = graph.accesses();
    int target = member.target;
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      int node = accesses.node(access);
      boolean isInLoop = node >= loop.head() && node < loop.exit();
      if (accesses.reads(access) && isInLoop && !isOther(member, node)) {
        add(node > member.node ? position : position + 1, node, target);
      }
    }
    addHeldReads(member, member.web, position);
    if (member.webAtStart != member.web) {
      addHeldReads(member, member.webAtStart, position);
    }
  }

  /** Whether a target's value at a node does not come from its loop-carried copy. */
  private boolean isOther(Candidate member, int node) {
    int web = ranges.webAt(member.target, 2 * node);
    return node > loop.head() && web != member.web && web != member.webAtStart;
  }

  private void addHeldReads(Candidate member, int web, int position) {
    for (InitialLocations.Holder holder : firsts.holders(web)) {
      // The variable would not be there if the member's copy came before its last read.
      addHeldReads(holder, holder.node() > member.node ? position : position + 1);
    }
  }

  private void add(int afterIterations, int node, int variable) {
    int outermost = outermost(node, /* last= */ true);
    boolean isLater =
        afterIterations > iterations || (afterIterations == iterations && outermost > reader);
    if (removed.get(node)) {
      return;
    }
    if (isLater) {
      iterations = afterIterations;
      reader = outermost;
      seenAs = variable;
      isSeenTwice = false;
    } else if (afterIterations == iterations && outermost == reader) {
      isSeenTwice |= variable != seenAs;
    }
  }

  /**
   * The node of an operator of the body itself that contains a node: its head, or its exit if
   * {@code last}.
   */
  private int outermost(int node, boolean last) {
    int result = node;
    if (node > loop.head()) {
      int region = graph.regionOfNode(node);
      while (region != loop.index()) {
        result = last ? graph.region(region).exit() : graph.region(region).head();
        region = graph.region(region).parent();
      }
    }
    return result;
  }

  /** The number of slots that the value needs, see {@link LoopCarriedValues}. */
  int slots() {
    boolean isFree =
        reader < writer
            || (reader == writer && !isSeenTwice && facts.mayWorkInPlace(writer, seenAs, root));
    return Math.max(1, isFree ? iterations : iterations + 1);
  }
}
