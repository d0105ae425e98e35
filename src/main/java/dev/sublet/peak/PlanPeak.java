package dev.sublet.peak;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.offset.ArenaPeak;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.SourceLine;
import dev.sublet.program.VariableId;
import java.util.Comparator;
import java.util.Optional;

/**
 * The time at which the most bytes of a plan's largest arena are in use.
 *
 * @param bytes the bytes in use; a byte that several tensors share counts once
 * @param arenaBytes the bytes of the arena
 * @param node the number of the operator in the control-flow graph; -1 without any
 * @param at the operator
 * @param tensors the tensors in use, the largest first
 * @param unplanned the number of tensors that have no bytes in the plan, although they need some
 */
public record PlanPeak(
    long bytes,
    long arenaBytes,
    int node,
    String at,
    ImmutableList<PeakTensor> tensors,
    long unplanned) {

  /** The tensors for which {@link PeakTensor#without} is computed. */
  private static final int MOST_COMPARED = 20;

  /**
   * Finds the peak of a plan. O(n log n) for n intervals, times the tensors that are compared.
   *
   * @param facts the facts about the plan's program
   */
  public static PlanPeak of(ProgramFacts facts, MemoryPlan plan) {
    int arena = largest(plan);
    long unplanned = plan.unplanned().stream().filter(Unplanned::needsMemory).count();
    if (arena < 0) {
      return new PlanPeak(0, 0, -1, "the start", ImmutableList.of(), unplanned);
    }
    ControlFlowGraph graph = facts.liveness().graph();
    ArenaPeak peak = ArenaPeak.of(plan, arena);
    ImmutableSet<VariableId> overwritten = TensorOrigin.overwritten(plan);
    ImmutableList.Builder<PeakTensor> tensors = ImmutableList.builder();
    int compared = 0;
    for (int index : peak.allocations()) {
      boolean isCompared = compared++ < MOST_COMPARED;
      long without = isCompared ? ArenaPeak.of(without(plan, index), arena).bytes() : peak.bytes();
      Allocation allocation = plan.allocations().get(index);
      tensors.add(tensor(facts, allocation, overwritten, peak.begin(), without));
    }
    int node = Math.min(peak.begin() / 2, graph.nodeCount() - 1);
    String at = node < 0 ? "the start" : graph.operation(node).location().toString();
    return new PlanPeak(
        peak.bytes(), plan.arenas().get(arena).bytes(), node, at, tensors.build(), unplanned);
  }

  /**
   * The tensor without which the peak is the smallest, the first of several; empty if the peak is
   * the same without any one of them.
   */
  public Optional<PeakTensor> bottleneck() {
    return tensors.stream()
        .min(Comparator.comparingLong(PeakTensor::without))
        .filter(tensor -> tensor.without() < bytes);
  }

  private static int largest(MemoryPlan plan) {
    int largest = -1;
    for (int i = 0; i < plan.arenas().size(); i++) {
      boolean isLarger =
          largest < 0 || plan.arenas().get(i).bytes() > plan.arenas().get(largest).bytes();
      largest = !plan.arenas().get(i).isStep() && isLarger ? i : largest;
    }
    return largest;
  }

  private static MemoryPlan without(MemoryPlan plan, int index) {
    ImmutableList.Builder<Allocation> others = ImmutableList.builder();
    for (int i = 0; i < plan.allocations().size(); i++) {
      if (i != index) {
        others.add(plan.allocations().get(i));
      }
    }
    return plan.withAllocations(others.build());
  }

  private static PeakTensor tensor(
      ProgramFacts facts,
      Allocation allocation,
      ImmutableSet<VariableId> overwritten,
      int point,
      long without) {
    Program program = facts.program();
    ControlFlowGraph graph = facts.liveness().graph();
    int variable = program.declared(allocation.variable().block(), allocation.variable().name());
    int node = graph.accesses().writer(variable, point / 2);
    int last = (allocation.live().get(allocation.live().size() - 1).end() - 1) / 2;
    Optional<Operation> writer = node < 0 ? Optional.empty() : Optional.of(graph.operation(node));
    return new PeakTensor(
        program.variable(variable),
        allocation.bytes(),
        TensorOrigin.kind(facts.liveness(), variable, allocation, overwritten),
        writer.map(operation -> operation.location().toString()),
        isKept(facts, variable) || last >= graph.nodeCount()
            ? Optional.empty()
            : Optional.of(graph.operation(last).location().toString()),
        writer.flatMap(SourceLine::of),
        without);
  }

  private static boolean isKept(ProgramFacts facts, int variable) {
    return facts.liveness().observation().isObserved(variable);
  }
}
