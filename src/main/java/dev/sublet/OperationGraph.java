package dev.sublet;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.program.Operation;
import dev.sublet.schedule.OperatorGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operators of a Paddle program's first block as operators of a schedule, with the bytes of
 * their values. The numbers of the operators are those of the block.
 *
 * <p>A variable is a new tensor of the schedule from each operator on that overwrites it entirely;
 * an operator that changes a part of it counts as a reader. The bytes that a block inside needs for
 * itself do not count, and neither do values of unknown size.
 */
final class OperationGraph {

  private static final int NONE = -1;

  private final ProgramFacts facts;
  private final ControlFlowGraph control;
  private final ScheduleBytes bytes;
  private final int[] operatorOfNode;
  private final OperatorGraph.Builder graph = OperatorGraph.builder();

  /** By operator: the tensors that it reads, and those that it writes. */
  private final List<Set<Integer>> inputs = new ArrayList<>();

  private final List<Set<Integer>> outputs = new ArrayList<>();

  /** By operator, then by variable: the tensor that it reads, and the one that it writes. */
  private final List<Map<Integer, Integer>> sources = new ArrayList<>();

  private final List<Map<Integer, Integer>> targets = new ArrayList<>();
  private boolean isComplete;

  private OperationGraph(ProgramFacts facts, OffsetOptions options) {
    this.facts = facts;
    this.control = facts.liveness().graph();
    this.bytes = new ScheduleBytes(facts, options);
    this.operatorOfNode = MoveLimits.operatorOfNode(control);
    this.isComplete = facts.program().blocks().size() == 1;
    for (int i = 0; i < facts.program().block(0).operations().size(); i++) {
      inputs.add(new LinkedHashSet<>());
      outputs.add(new LinkedHashSet<>());
      sources.add(new HashMap<>());
      targets.add(new HashMap<>());
    }
  }

  /** Builds the graph of a program. O(accesses). */
  static OperationGraph of(ProgramFacts facts, MoveLimits limits, OffsetOptions options) {
    OperationGraph result = new OperationGraph(facts, options);
    result.addTensors();
    facts.program().block(0).operations().forEach(result::addOperator);
    limits.addTo(result.graph);
    return result;
  }

  /** Whether the bytes of all values count: all sizes are known, and there are no inner blocks. */
  boolean isComplete() {
    return isComplete;
  }

  /** The operators and tensors. */
  OperatorGraph operators() {
    return graph.build();
  }

  private void addTensors() {
    AccessTable accesses = control.accesses();
    for (int variable = 0; variable < facts.program().variableCount(); variable++) {
      boolean isValue =
          facts.program().variable(variable).block() == 0
              && !facts.program().variable(variable).isPersistable()
              && !control.pinned().isUnplanned(variable)
              && accesses.isAccessed(variable);
      if (isValue) {
        isComplete &= bytes.isKnown(variable);
        addTensors(variable, accesses);
      }
    }
  }

  private void addTensors(int variable, AccessTable accesses) {
    int tensor = NONE;
    int begun = NONE;
    for (int i = accesses.begin(variable); i < accesses.end(variable); i++) {
      int node = accesses.node(i);
      int operator = operatorOfNode[node];
      boolean isWhole =
          accesses.kills(i) && control.operation(node).block() == 0 && control.isKernel(node);
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
    if (facts.liveness().observation().isObserved(variable)) {
      graph.keep(tensor);
    }
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
