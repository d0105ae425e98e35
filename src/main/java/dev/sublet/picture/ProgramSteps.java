package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.picture.TimeAxis.AxisStep;
import dev.sublet.picture.TimeAxis.Presence;
import dev.sublet.picture.TimeAxis.Span;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import java.util.HashSet;
import java.util.Set;

/** Builds time axes from the nodes of programs. */
final class ProgramSteps {

  private ProgramSteps() {}

  /** Returns the axis of one program, in which node k is step k. O(nodes). */
  static TimeAxis of(ControlFlowGraph graph, MemoryPlan plan) {
    Set<Long> skipped = skipped(plan);
    ImmutableList.Builder<AxisStep> steps = ImmutableList.builder();
    int[] stepOfNode = new int[graph.nodeCount()];
    for (int node = 0; node < graph.nodeCount(); node++) {
      steps.add(step(graph, node, skipped, Presence.BOTH));
      stepOfNode[node] = node;
    }
    return new TimeAxis(2, steps.build(), spans(graph, stepOfNode));
  }

  /** Returns the axis of an absent program, whose steps have numbers only. */
  static TimeAxis numbered(int count) {
    ImmutableList.Builder<AxisStep> steps = ImmutableList.builder();
    for (int node = 0; node < count; node++) {
      steps.add(AxisStep.named("op"));
    }
    return new TimeAxis(2, steps.build(), ImmutableList.of());
  }

  /**
   * Returns the copies that need not run with a plan, each as a number made of its block and index.
   */
  static Set<Long> skipped(MemoryPlan plan) {
    Set<Long> skipped = new HashSet<>();
    for (UnneededCopy copy : plan.copies()) {
      skipped.add(key(copy.block(), copy.operator()));
    }
    return skipped;
  }

  private static long key(int block, int operator) {
    return ((long) block << 32) | operator;
  }

  /** Returns the step of a node. */
  static AxisStep step(ControlFlowGraph graph, int node, Set<Long> skipped, Presence presence) {
    Operation operation = graph.operation(node);
    return new AxisStep(
        Labels.printable(operation.type()),
        "block " + operation.block() + ", op " + operation.index(),
        graph.regionAtExit(node) >= 0,
        skipped.contains(key(operation.block(), operation.index())),
        presence);
  }

  /** Returns the spans of a program's control operators. O(regions). */
  static ImmutableList<Span> spans(ControlFlowGraph graph, int[] stepOfNode) {
    ImmutableList.Builder<Span> spans = ImmutableList.builder();
    int[] depths = new int[graph.regions().size()];
    // Region 0 is the program; a region comes before those inside it.
    for (Region region : graph.regions().subList(1, graph.regions().size())) {
      depths[region.index()] = region.parent() == 0 ? 0 : depths[region.parent()] + 1;
      spans.add(
          new Span(
              stepOfNode[region.head()],
              stepOfNode[region.exit()],
              region.block(),
              Labels.printable(graph.operation(region.head()).type()),
              region.kind().isLoop(),
              depths[region.index()]));
    }
    return spans.build();
  }
}
