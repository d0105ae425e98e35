package dev.sublet.liveness;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The oracle for live ranges: the textbook's equations over the whole graph, one set a node,
 * iterated in no clever order until nothing changes. Knows neither webs nor scopes nor exclusive
 * branches.
 */
final class DenseLiveness {

  private final ControlFlowGraph graph;
  private final List<BitSet> liveIn = new ArrayList<>();
  private final List<BitSet> liveOut = new ArrayList<>();
  private final List<BitSet> writtenIn = new ArrayList<>();
  private final List<BitSet> writtenOut = new ArrayList<>();
  private final List<BitSet> reads = new ArrayList<>();
  private final List<BitSet> writes = new ArrayList<>();
  private final List<BitSet> kills = new ArrayList<>();

  DenseLiveness(ControlFlowGraph graph, Observation observation) {
    this.graph = graph;
    for (int node = 0; node < graph.nodeCount(); node++) {
      for (List<BitSet> sets :
          List.of(liveIn, liveOut, writtenIn, writtenOut, reads, writes, kills)) {
        sets.add(new BitSet());
      }
    }
    BitSet atEnd = new BitSet();
    BitSet atStart = new BitSet();
    AccessTable accesses = graph.accesses();
    for (int v = 0; v < graph.program().variableCount(); v++) {
      atEnd.set(v, observation.isObserved(v));
      atStart.set(v, observation.isFeed(v));
      for (int a = accesses.begin(v); a < accesses.end(v); a++) {
        reads.get(accesses.node(a)).set(v, accesses.reads(a));
        writes.get(accesses.node(a)).set(v, accesses.writes(a));
        kills.get(accesses.node(a)).set(v, accesses.kills(a));
      }
    }
    iterate(atStart, atEnd);
  }

  private void iterate(BitSet atStart, BitSet atEnd) {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int node = 0; node < graph.nodeCount(); node++) {
        for (int successor : graph.successors(node)) {
          boolean end = successor == graph.nodeCount();
          changed |= addAll(liveOut.get(node), end ? atEnd : liveIn.get(successor));
          if (!end) {
            changed |= addAll(writtenIn.get(successor), writtenOut.get(node));
          }
        }
        BitSet in = (BitSet) liveOut.get(node).clone();
        in.andNot(kills.get(node));
        in.or(reads.get(node));
        changed |= addAll(liveIn.get(node), in);
        if (node == 0) {
          changed |= addAll(writtenIn.get(0), atStart);
        }
        changed |= addAll(writtenOut.get(node), writtenIn.get(node));
        changed |= addAll(writtenOut.get(node), writes.get(node));
      }
    }
  }

  private static boolean addAll(BitSet set, BitSet more) {
    int before = set.cardinality();
    set.or(more);
    return set.cardinality() != before;
  }

  /** Whether a value that may be needed, and may have been written, is there before the node. */
  boolean heldBefore(int node, int variable) {
    return liveIn.get(node).get(variable) && writtenIn.get(node).get(variable);
  }

  boolean heldAfter(int node, int variable) {
    return liveOut.get(node).get(variable) && writtenOut.get(node).get(variable);
  }

  boolean reads(int node, int variable) {
    return reads.get(node).get(variable);
  }

  boolean writes(int node, int variable) {
    return writes.get(node).get(variable);
  }
}
