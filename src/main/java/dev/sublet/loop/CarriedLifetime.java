package dev.sublet.loop;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.BitSet;
import java.util.List;

/**
 * How long the value that a chain of carries hands on is needed, and so how many places it needs.
 */
final class CarriedLifetime {

  private final LoopCarryAnalysis finder;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Region loop;
  private final BitSet removed;

  /** The last read of a value: so many iterations after it was computed, at this operator. */
  private int iterations;

  private int reader = -1;

  /** As which variable the value is read there. */
  private int seenAs = -1;

  /** Whether that operator reads it as another variable too, which is no input to work in then. */
  private boolean isSeenTwice;

  private int writer;
  private int root;

  private CarriedLifetime(LoopCarryAnalysis finder, Region loop, BitSet removed) {
    this.finder = finder;
    this.graph = finder.graph();
    this.ranges = finder.ranges();
    this.loop = loop;
    this.removed = removed;
  }

  /**
   * The need of a chain. O(accesses of its variables).
   *
   * @param root the variable that the value is computed as
   * @param removed the copies that will not run
   */
  static CarriedLifetime of(
      LoopCarryAnalysis finder, Region loop, PhiClass family, int root, BitSet removed) {
    List<Candidate> chain = family.members();
    CarriedLifetime need = new CarriedLifetime(finder, loop, removed);
    need.root = root;
    need.writer = need.outermost(need.ranges.firstPoint(chain.get(0).root) / 2, /* last= */ false);
    need.addReads(root, chain.get(0).root, 0);
    chain.forEach(need::addReads);
    family.admitted().forEach(need::addReads);
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
    for (InitialLocations.Holder holder : finder.firsts().holders(web)) {
      addHeldReads(holder, afterIterations);
    }
  }

  /**
   * Who starts an inner loop in the value's place may be there until its last read, if that loop
   * does not iterate; but not always, so that nobody can work there in place.
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

  /** Before its copy a target shows what was computed one iteration earlier than behind it. */
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

  /** Whether what a target holds at a node was not carried to it. */
  private boolean isOther(Candidate member, int node) {
    int web = ranges.webAt(member.target, 2 * node);
    return node > loop.head() && web != member.web && web != member.webAtStart;
  }

  private void addHeldReads(Candidate member, int web, int position) {
    for (InitialLocations.Holder holder : finder.firsts().holders(web)) {
      // It would not be held if the member's copy came before its last read.
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

  /** The head or the exit of the operator of the body itself that holds a node. */
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

  /** How many places the value needs, see {@link LoopCarriedValues}. */
  int places() {
    boolean isFree =
        reader < writer
            || (reader == writer
                && !isSeenTwice
                && finder.facts().mayWorkInPlace(writer, seenAs, root));
    return Math.max(1, isFree ? iterations : iterations + 1);
  }
}
