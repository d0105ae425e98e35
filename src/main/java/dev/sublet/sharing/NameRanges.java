package dev.sublet.sharing;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.fusion.GraphPasses;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/**
 * The points at which each variable occupies its <i>name</i>: the union of its webs, extended
 * around control operators and around operators that graph passes may move, where a name is needed
 * longer than the bytes.
 *
 * <ul>
 *   <li>An input of a control operator occupies its name until the operator's exit, so that no
 *       output of the same operator takes the name.
 *   <li>If the scopes of a region are kept, each outside variable that its body accesses occupies
 *       its name from head to exit. The runtime decides by name which inputs it copies for each
 *       iteration, so no two of these variables may get one name.
 *   <li>An argument of an operator that a pass may move occupies its name until the operator has
 *       run in its last possible place; see {@link GraphPasses}.
 * </ul>
 */
final class NameRanges {

  private final ControlFlowGraph graph;
  private final GraphPasses passes;
  private final IntervalTable asWritten;
  private final IntervalTable moved;

  private NameRanges(
      ControlFlowGraph graph, GraphPasses passes, IntervalTable asWritten, IntervalTable moved) {
    this.graph = graph;
    this.passes = passes;
    this.asWritten = asWritten;
    this.moved = moved;
  }

  /** The ranges of all variables. O(accesses × depth + intervals × log). */
  static NameRanges find(Liveness liveness, GraphPasses passes) {
    IntervalTable asWritten = ranges(liveness, GraphPasses.none(liveness.graph()));
    IntervalTable moved = passes.isAny() ? ranges(liveness, passes) : asWritten;
    return new NameRanges(liveness.graph(), passes, asWritten, moved);
  }

  private static IntervalTable ranges(Liveness liveness, GraphPasses passes) {
    IntervalTable.Builder builder = IntervalTable.builder();
    addWebs(liveness, builder);
    addControlInputs(liveness.graph(), builder);
    addKeptBodies(liveness.graph(), builder);
    addMovedOperators(liveness.graph(), passes, builder);
    return builder.build(liveness.graph().program().variableCount());
  }

  /** The graph passes of the runtime. */
  GraphPasses passes() {
    return passes;
  }

  /** The ranges in the written order of the operators, one row per variable. */
  IntervalTable asWritten() {
    return asWritten;
  }

  /**
   * The ranges in every order to which passes can lead, one row per variable. A result that a pass
   * may write at an earlier place occupies its name from there on, except for the operator of a
   * forced pair: there, the source occupies the name. O(operators + intervals × log).
   */
  IntervalTable underPasses(InPlaceTable inPlace) {
    IntervalTable.Builder builder = IntervalTable.builder();
    boolean anyEarly = false;
    for (int node = 0; node < graph.nodeCount(); node++) {
      Operation operation = graph.operation(node);
      for (int i = 0; passes.earliestWrite(node) < node && i < operation.outputCount(); i++) {
        int variable = operation.output(i);
        if (variable != Program.NO_VARIABLE && !isForced(variable, node, inPlace)) {
          builder.add(variable, 2 * passes.earliestWrite(node) + 1, 2 * node + 2);
          anyEarly = true;
        }
      }
    }
    if (!anyEarly) {
      return moved;
    }
    for (int variable = 0; variable < graph.program().variableCount(); variable++) {
      for (int i = moved.firstInterval(variable); i < moved.endInterval(variable); i++) {
        builder.add(variable, moved.begin(i), moved.end(i));
      }
    }
    return builder.build(graph.program().variableCount());
  }

  /** Whether a node is the operator of a forced pair: it writes the pair's target first. */
  private boolean isForced(int variable, int node, InPlaceTable inPlace) {
    return inPlace.isForced(variable) && asWritten.firstPoint(variable) == 2 * node + 1;
  }

  private static void addWebs(Liveness liveness, IntervalTable.Builder builder) {
    LiveRanges ranges = liveness.ranges();
    for (int variable = 0; variable < liveness.graph().program().variableCount(); variable++) {
      if (ranges.hasRange(variable)) {
        int first = ranges.firstInterval(ranges.firstWeb(variable));
        int end = ranges.endInterval(ranges.endWeb(variable) - 1);
        for (int interval = first; interval < end; interval++) {
          builder.add(variable, ranges.begin(interval), ranges.end(interval));
        }
      }
    }
  }

  private static void addControlInputs(ControlFlowGraph graph, IntervalTable.Builder builder) {
    for (Region region : graph.regions()) {
      if (region.index() > 0) {
        Operation operation = graph.operation(region.head());
        for (int i = 0; i < operation.inputCount(); i++) {
          if (operation.input(i) != Program.NO_VARIABLE) {
            builder.add(operation.input(i), 2 * region.head(), 2 * region.exit() + 2);
          }
        }
      }
    }
  }

  private static void addMovedOperators(
      ControlFlowGraph graph, GraphPasses passes, IntervalTable.Builder builder) {
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (passes.isReplaceable(node)) {
        Operation operation = graph.operation(node);
        int end = passes.readUntil(node);
        for (int i = 0; i < operation.inputCount(); i++) {
          if (operation.input(i) != Program.NO_VARIABLE && !passes.isInnerRead(node, i)) {
            builder.add(operation.input(i), 2 * node, end);
          }
        }
        for (int i = 0; i < operation.outputCount(); i++) {
          if (operation.output(i) != Program.NO_VARIABLE && passes.isLateWrite(node, i)) {
            builder.add(operation.output(i), 2 * node + 1, Math.max(end, 2 * node + 2));
          }
        }
      }
    }
  }

  private static void addKeptBodies(ControlFlowGraph graph, IntervalTable.Builder builder) {
    boolean anyKept = false;
    for (Region region : graph.regions()) {
      anyKept |= region.kept();
    }
    if (!anyKept) {
      return;
    }
    AccessTable accesses = graph.accesses();
    for (int variable = 0; variable < graph.program().variableCount(); variable++) {
      int home = graph.regionOfBlock(graph.program().variable(variable).block());
      for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
        int region = graph.regionOfNode(accesses.node(access));
        while (region > 0 && region != home) {
          Region around = graph.region(region);
          if (around.kept()) {
            builder.add(variable, 2 * around.head(), 2 * around.exit() + 2);
          }
          region = around.parent();
        }
      }
    }
  }
}
