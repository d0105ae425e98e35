package dev.sublet;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.OperatorSpan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/** The points at which the operators of a program run, as its plans count them. */
public final class OperatorSpans {

  private OperatorSpans() {}

  /**
   * Returns the spans of all operators that run, ordered by first point. O(arguments × nesting
   * depth).
   *
   * @throws dev.sublet.diag.ProgramException if a gradient operator comes before its forward
   *     operator
   */
  public static ImmutableList<OperatorSpan> of(Program program) {
    ControlFlowGraph graph = ControlFlowGraph.build(program, OperatorCatalog.standard());
    ImmutableList.Builder<OperatorSpan> spans = ImmutableList.builder();
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.regionAtExit(node) < 0) {
        spans.add(span(graph, node));
      }
    }
    return spans.build();
  }

  private static OperatorSpan span(ControlFlowGraph graph, int node) {
    int last = node;
    int index = graph.regionAtHead(node);
    if (index >= 0) {
      Region region = graph.region(index);
      last = region.exit();
    }
    Operation operation = graph.operation(node);
    return new OperatorSpan(
        operation.block(), operation.index(), operation.type(), 2 * node, 2 * last + 2);
  }
}
