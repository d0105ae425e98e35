package dev.sublet.peak;

import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.Optional;

/**
 * A program that computes a tensor a second time after the peak, so that the tensor is not kept
 * across the peak.
 *
 * <pre>
 *   a = relu(x); …peak…; y = add(a, b)      a = relu(x); …peak…; a2 = relu(x); y = add(a2, b)
 * </pre>
 *
 * <p>Only an operator of block 0 that is cheap, deterministic and has one output is repeated, and
 * only if its inputs still have their values.
 *
 * @param program the changed program
 * @param type the type of the operator
 * @param elements the number of elements that are computed again; -1 if unknown
 * @param reader the first operator that reads the second copy
 */
record Recomputation(Program program, String type, long elements, String reader) {

  private static final ImmutableSet<String> CHEAP =
      ImmutableSet.of(
          "relu",
          "relu6",
          "leaky_relu",
          "sigmoid",
          "tanh",
          "hard_swish",
          "hard_sigmoid",
          "swish",
          "gelu",
          "scale",
          "cast",
          "exp",
          "sqrt",
          "square",
          "abs",
          "clip",
          "elementwise_add",
          "elementwise_sub",
          "elementwise_mul",
          "elementwise_div",
          "elementwise_max",
          "elementwise_min",
          "transpose",
          "nearest_interp",
          "nearest_interp_v2",
          "fill_constant");

  /**
   * The program for a tensor at the peak; empty if the tensor is not read after the peak, or cannot
   * be computed again. O(accesses of the tensor and of the inputs of its operator), plus O(program)
   * for the copy.
   *
   * @param peak the node at which the peak is
   */
  static Optional<Recomputation> of(ProgramFacts facts, PeakTensor tensor, int peak) {
    ControlFlowGraph graph = facts.liveness().graph();
    Variable variable = tensor.variable();
    int writer = onlyWriter(graph, variable);
    int reader = firstReader(graph, variable, peak);
    boolean isKept = facts.liveness().observation().isObserved(variable.index());
    if (writer < 0 || writer >= peak || reader < 0 || isKept || variable.block() != 0) {
      return Optional.empty();
    }
    Operation operation = graph.operation(writer);
    boolean isCheap =
        CHEAP.contains(operation.type())
            && operation.outputCount() == 1
            && operation.countInputs(variable.index()) == 0;
    if (!isCheap || !keepsInputs(graph, operation, writer, reader)) {
      return Optional.empty();
    }
    String again = variable.name() + "@again";
    if (facts.program().declared(0, again) != Program.NO_VARIABLE) {
      return Optional.empty();
    }
    Program changed =
        OperatorEdits.repeating(
            facts.program(),
            operation.index(),
            graph.operation(reader).index(),
            variable.name(),
            again);
    long elements = elements(facts, variable.index());
    String location = graph.operation(reader).location().toString();
    return Optional.of(new Recomputation(changed, operation.type(), elements, location));
  }

  private static long elements(ProgramFacts facts, int variable) {
    int width = facts.sizes().dataType(variable).bytes();
    return facts.sizes().isKnown(variable) && width > 0
        ? facts.sizes().bytes(variable) / width
        : -1;
  }

  /** The only node that writes a variable, in block 0; else -1. All its accesses are there. */
  private static int onlyWriter(ControlFlowGraph graph, Variable variable) {
    AccessTable accesses = graph.accesses();
    int writer = -1;
    int begin = accesses.begin(variable.index());
    for (int access = begin; access < accesses.end(variable.index()); access++) {
      int node = accesses.node(access);
      if (graph.regionOfNode(node) != 0 || !graph.isKernel(node)) {
        return -1;
      }
      if (accesses.writes(access)) {
        if (writer >= 0) {
          return -1;
        }
        writer = node;
      }
    }
    return writer;
  }

  private static int firstReader(ControlFlowGraph graph, Variable variable, int peak) {
    AccessTable accesses = graph.accesses();
    int begin = accesses.begin(variable.index());
    for (int access = begin; access < accesses.end(variable.index()); access++) {
      if (accesses.node(access) > peak && accesses.reads(access)) {
        return accesses.node(access);
      }
    }
    return -1;
  }

  /** Whether no operator between two others writes an input of the first one. */
  private static boolean keepsInputs(
      ControlFlowGraph graph, Operation operation, int from, int to) {
    AccessTable accesses = graph.accesses();
    for (int i = 0; i < operation.inputCount(); i++) {
      int input = operation.input(i);
      if (input == Program.NO_VARIABLE) {
        return false;
      }
      for (int access = accesses.begin(input); access < accesses.end(input); access++) {
        int node = accesses.node(access);
        if (accesses.writes(access) && from <= node && node < to) {
          return false;
        }
      }
    }
    return true;
  }
}
