package dev.sublet;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.program.Operation;
import dev.sublet.schedule.OperatorGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operators of a block of a Paddle program as operators of a schedule, with the bytes of their
 * values. The numbers of the operators are those of the block.
 *
 * <p>A variable is a new tensor of the schedule from each operator on that overwrites it entirely;
 * an operator that changes a part of it counts as a reader. Variables of the blocks around it are
 * tensors, too. The caller gives the bytes that each block inside needs for itself. Values of
 * unknown size do not count.
 */
final class OperationGraph {

  private static final int NONE = -1;

  private final ProgramFacts facts;
  private final ControlFlowGraph control;
  private final MoveLimits limits;
  private final ScheduleBytes bytes;
  private final int block;
  private final Region region;
  private final OperatorGraph.Builder graph = OperatorGraph.builder();

  /** By operator: the tensors that it reads, and those that it writes. */
  private final List<Set<Integer>> inputs = new ArrayList<>();

  private final List<Set<Integer>> outputs = new ArrayList<>();

  /** By operator, then by variable: the tensor that it reads, and the one that it writes. */
  private final List<Map<Integer, Integer>> sources = new ArrayList<>();

  private final List<Map<Integer, Integer>> targets = new ArrayList<>();

  /** The bytes of the variables of the blocks around this one. */
  private long outerBytes;

  private boolean isComplete;

  private OperationGraph(MoveLimits limits, ScheduleBytes bytes, int block) {
    this.limits = limits;
    this.facts = bytes.facts();
    this.bytes = bytes;
    this.block = block;
    this.control = facts.liveness().graph();
    this.region = control.region(control.regionOfBlock(block));
    this.isComplete = true;
    for (int i = 0; i < facts.program().block(block).operations().size(); i++) {
      inputs.add(new LinkedHashSet<>());
      outputs.add(new LinkedHashSet<>());
      sources.add(new HashMap<>());
      targets.add(new HashMap<>());
    }
  }

  /**
   * Builds the graph of a block. O(accesses).
   *
   * @param limits the limits of the program
   * @param bytes the bytes of its variables
   * @param block a block in which operators may move
   * @param extra by block: the bytes that it needs for itself while its operator runs
   */
  static OperationGraph of(
      MoveLimits limits, ScheduleBytes bytes, int block, Map<Integer, Long> extra) {
    OperationGraph result = new OperationGraph(limits, bytes, block);
    result.addTensors();
    for (Operation operation : bytes.facts().program().block(block).operations()) {
      result.addOperator(operation);
      for (int inner : operation.blocks()) {
        result.graph.whileRunning(operation.index(), extra.getOrDefault(inner, 0L));
      }
    }
    limits.addTo(result.graph, block);
    return result;
  }

  /** The operators and tensors. */
  OperatorGraph operators() {
    return graph.build();
  }

  /** The operators and tensors, with the bytes that the block around it counts, too. */
  FoundOrders.CountedBlock counted() {
    return new FoundOrders.CountedBlock(operators(), outerBytes, isComplete);
  }

  private void addTensors() {
    AccessTable accesses = control.accesses();
    for (int variable : limits.variables(block)) {
      int declared = facts.program().variable(variable).block();
      boolean isValue =
          (block != 0 || declared == 0)
              && !facts.program().variable(variable).isPersistable()
              && !control.pinned().isUnplanned(variable)
              && isAccessed(variable, accesses);
      if (isValue) {
        outerBytes += declared == block ? 0 : bytes.of(variable);
        isComplete &= bytes.isKnown(variable);
        addTensors(variable, accesses);
      }
    }
  }

  private boolean isAccessed(int variable, AccessTable accesses) {
    for (int i = accesses.begin(variable); i < accesses.end(variable); i++) {
      if (region.contains(accesses.node(i))) {
        return true;
      }
    }
    return false;
  }

  private void addTensors(int variable, AccessTable accesses) {
    int tensor = NONE;
    int begun = NONE;
    for (int i = accesses.begin(variable); i < accesses.end(variable); i++) {
      int node = accesses.node(i);
      if (!region.contains(node)) {
        continue;
      }
      int operator = limits.operators().operator(node, block).index();
      boolean isWhole =
          accesses.kills(i) && control.operation(node).block() == block && control.isKernel(node);
      if (tensor == NONE || isWhole) {
        tensor = graph.tensor(bytes.of(variable));
        begun = accesses.reads(i) ? NONE : operator;
        if (begun != NONE) {
          outputs.get(operator).add(tensor);
          targets.get(operator).put(variable, tensor);
        }
      }
      if (operator != begun) {
        inputs.get(operator).add(tensor);
        sources.get(operator).put(variable, tensor);
      }
    }
    if (isKept(variable)) {
      graph.keep(tensor);
    }
  }

  /** Whether the value of a variable at the end of the block is needed. */
  private boolean isKept(int variable) {
    if (block == 0 || facts.liveness().observation().isObserved(variable)) {
      return facts.liveness().observation().isObserved(variable);
    }
    LiveRanges ranges = facts.liveness().ranges();
    return ranges.webAt(variable, 2 * region.exit()) >= 0
        || (region.kind().isLoop() && ranges.webAt(variable, 2 * region.head()) >= 0);
  }

  private void addOperator(Operation operation) {
    int operator =
        graph.operator(
            ImmutableIntArray.copyOf(inputs.get(operation.index())),
            ImmutableIntArray.copyOf(outputs.get(operation.index())));
    for (ScheduleBytes.Reuse reuse : bytes.reuses(operation)) {
      Integer source = sources.get(operator).get(reuse.source());
      Integer target = targets.get(operator).get(reuse.target());
      if (source != null && target != null && reuse.isPart()) {
        graph.part(operator, source, target);
      } else if (source != null && target != null) {
        graph.inPlace(operator, source, target);
      }
    }
  }
}
