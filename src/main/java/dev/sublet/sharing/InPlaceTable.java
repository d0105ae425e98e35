package dev.sublet.sharing;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.Arrays;

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
 *   <li>the input is not observed; the output may be.
 * </ul>
 *
 * <p>Each variable is the source of at most one pair and the target of at most one. The order of
 * the catalog decides between pairs.
 */
final class InPlaceTable {

  private final int[] sourceOf;
  private final int[] targetOf;

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

  /** Finds the pairs. O(arguments). */
  static InPlaceTable find(
      ControlFlowGraph graph,
      OperatorCatalog catalog,
      Candidates candidates,
      IntervalTable ranges) {
    InPlaceTable table = new InPlaceTable(graph.program().variableCount());
    long version = graph.program().version();
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.regionAtHead(node) < 0 && graph.regionAtExit(node) < 0) {
        Operation operation = graph.operation(node);
        OperatorSpec spec = catalog.lookup(operation.type());
        for (InPlacePair pair : catalog.inPlacePairs(spec, version)) {
          table.addIfLegal(operation, node, pair, candidates, ranges, graph);
        }
      }
    }
    return table;
  }

  private void addIfLegal(
      Operation operation,
      int node,
      InPlacePair pair,
      Candidates candidates,
      IntervalTable ranges,
      ControlFlowGraph graph) {
    int source = pair.source(operation);
    int target = pair.target(operation);
    if (source == Program.NO_VARIABLE
        || target == Program.NO_VARIABLE
        || targetOf[source] != Program.NO_VARIABLE
        || sourceOf[target] != Program.NO_VARIABLE
        || !pair.canShareName(operation)
        || !candidates.isCandidate(source)
        || !candidates.isCandidate(target)
        || candidates.isObserved(source)
        || (candidates.keepsName(source) && candidates.keepsName(target))
        || candidates.classOf(source) != candidates.classOf(target)
        || candidates.carriesLod(source) != candidates.carriesLod(target)
        || candidates.bytes(source) != candidates.bytes(target)
        || !candidates.haveEqualBytes(operation, pair)
        || ranges.lastPoint(source) != 2 * node + 2
        || ranges.firstPoint(target) != 2 * node + 1
        || isForNextIteration(source, node, ranges, graph)) {
      return;
    }
    targetOf[source] = target;
    sourceOf[target] = source;
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

  /** The output that may take the variable's name at its last use, or -1. */
  int targetOf(int source) {
    return targetOf[source];
  }
}
