package dev.sublet.sharing;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.fusion.GraphPasses;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The legal in-place pairs of a program. In a pair, the output of an operator may take the name of
 * an input that dies at the operator.
 *
 * <p>A pair of the catalog is legal if
 *
 * <ul>
 *   <li>the input is the first argument of its slot, the operator reads it once and does not write
 *       it, and its last use is there;
 *   <li>the output is the first argument of its slot, the operator does not read it, and its first
 *       write is there;
 *   <li>both have the same class and bytes, and at most one of them keeps its name;
 *   <li>the input is not observed; the output may be;
 *   <li>graph passes that may replace an operator which reads the input keep the order, and none
 *       moves a later write of the output before the pair's operator.
 * </ul>
 *
 * <p>Each variable is the source of at most one pair and the target of at most one. The order of
 * the catalog decides between pairs.
 */
final class InPlaceTable {

  private final int[] sourceOf;
  private final int[] targetOf;
  private final BitSet forced = new BitSet();

  private InPlaceTable(int variableCount) {
    sourceOf = new int[variableCount];
    targetOf = new int[variableCount];
    Arrays.fill(sourceOf, Program.NO_VARIABLE);
    Arrays.fill(targetOf, Program.NO_VARIABLE);
  }

  /** A table without pairs. */
  static InPlaceTable empty(int variableCount) {
    return new InPlaceTable(variableCount);
  }

  /** Finds the pairs. O(arguments), plus the accesses of the inputs of pairs. */
  static InPlaceTable find(
      ControlFlowGraph graph, OperatorCatalog catalog, Candidates candidates, NameRanges names) {
    IntervalTable ranges = names.asWritten();
    GraphPasses passes = names.passes();
    int[] moved = earliestMovedWrites(graph, passes, candidates, ranges);
    InPlaceTable table = new InPlaceTable(graph.program().variableCount());
    long version = graph.program().version();
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.isKernel(node)) {
        for (InPlacePair pair : catalog.inPlacePairs(graph.operation(node), version)) {
          int source = pair.source(graph.operation(node));
          int target = pair.target(graph.operation(node));
          if (source != Program.NO_VARIABLE
              && target != Program.NO_VARIABLE
              && table.isLegal(pair, node, candidates, ranges, graph)
              && moved[target] > ranges.firstPoint(target)
              && keepsOrder(source, node, graph, passes)) {
            table.add(source, target, candidates, ranges, 2 * passes.earliestWrite(node) + 1);
          }
        }
      }
    }
    return table;
  }

  /**
   * By variable: the earliest point to which a pass may move a write of the variable that is not
   * its first one. There, the name is occupied before an input of the first write has died.
   *
   * <pre>
   *   b = relu(a)
   *   b = tanh(c)     # a pass may compute it where c is computed, before a has been read
   * </pre>
   */
  private static int[] earliestMovedWrites(
      ControlFlowGraph graph, GraphPasses passes, Candidates candidates, IntervalTable ranges) {
    int[] earliest = new int[graph.program().variableCount()];
    Arrays.fill(earliest, Integer.MAX_VALUE);
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (passes.earliestWrite(node) < node) {
        Operation operation = graph.operation(node);
        for (int i = 0; i < operation.outputCount(); i++) {
          int variable = operation.output(i);
          if (variable != Program.NO_VARIABLE
              && candidates.isCandidate(variable)
              && ranges.firstPoint(variable) != 2 * node + 1) {
            int point = 2 * passes.earliestWrite(node) + 1;
            earliest[variable] = Math.min(earliest[variable], point);
          }
        }
      }
    }
    return earliest;
  }

  private boolean isLegal(
      InPlacePair pair,
      int node,
      Candidates candidates,
      IntervalTable ranges,
      ControlFlowGraph graph) {
    Operation operation = graph.operation(node);
    int source = pair.source(operation);
    int target = pair.target(operation);
    return targetOf[source] == Program.NO_VARIABLE
        && sourceOf[target] == Program.NO_VARIABLE
        && pair.canShareName(operation)
        && candidates.isCandidate(source)
        && candidates.isCandidate(target)
        && !candidates.isObserved(source)
        && !(candidates.keepsName(source) && candidates.keepsName(target))
        && candidates.classOf(source) == candidates.classOf(target)
        && candidates.declaration(source).suits(candidates.declaration(target))
        && candidates.carriesLod(source) == candidates.carriesLod(target)
        && candidates.bytes(source) == candidates.bytes(target)
        && candidates.haveEqualBytes(operation, pair)
        && ranges.lastPoint(source) == 2 * node + 2
        && ranges.firstPoint(target) == 2 * node + 1
        && !isForNextIteration(source, node, ranges, graph);
  }

  /** Adds a pair. If the target may be written early, the source must have the name by then. */
  private void add(
      int source, int target, Candidates candidates, IntervalTable ranges, int earliestPoint) {
    boolean isEarly = earliestPoint < ranges.firstPoint(target);
    boolean isForced =
        canBeForced(source, target, candidates) && ranges.firstPoint(source) <= earliestPoint;
    if (!isEarly || isForced) {
      targetOf[source] = target;
      sourceOf[target] = source;
      forced.set(target, isEarly);
    }
  }

  /**
   * Whether no rule can keep the target from the group that its source is in. A declaration that
   * states no size would displace that of the group.
   */
  private static boolean canBeForced(int source, int target, Candidates candidates) {
    return !candidates.keepsName(source)
        && !candidates.keepsName(target)
        && candidates.bearsLod(source) == candidates.bearsLod(target)
        && candidates.declaration(target).isFree()
        && candidates.declaration(target).bytes() <= candidates.declaration(source).bytes();
  }

  /** Whether every reader of the source has run when the target is written, and may overwrite. */
  private static boolean keepsOrder(
      int source, int node, ControlFlowGraph graph, GraphPasses passes) {
    Operation operation = graph.operation(node);
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(source); access < accesses.end(source); access++) {
      int other = accesses.node(access);
      if (other != node
          && accesses.reads(access)
          && passes.isReplaceable(other)
          && passes.readUntil(other) > 2 * node + 1) {
        return false;
      }
    }
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) == source && !passes.canWriteInPlace(operation, node, i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a name whose last point is at the node has a value for the next iteration: the node
   * ends the body of a loop, and the name is occupied at the loop's head.
   */
  private static boolean isForNextIteration(
      int variable, int node, IntervalTable ranges, ControlFlowGraph graph) {
    int loop = graph.loopEndedBy(node);
    return loop >= 0 && ranges.contains(variable, 2 * graph.region(loop).head());
  }

  /** The input whose name the variable may take at its first write, or -1. */
  int sourceOf(int target) {
    return sourceOf[target];
  }

  /**
   * Whether the variable has the name of its source or shares no name at all, because a pass may
   * write it where the source is written.
   */
  boolean isForced(int target) {
    return target != Program.NO_VARIABLE && forced.get(target);
  }

  /** The output that may take the variable's name at its last use, or -1. */
  int targetOf(int source) {
    return targetOf[source];
  }
}
