package dev.sublet.peak;

import com.google.common.collect.ImmutableMap;
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
record Recomputation(ProgramVersion program, String type, long elements, String reader) {

  /**
   * The operations on floating-point numbers for each element of the output; functions such as exp
   * and sqrt count as one, as do comparisons.
   */
  private static final ImmutableMap<String, Integer> CHEAP =
      ImmutableMap.<String, Integer>builder()
          .put("relu", 1) // max(x, 0)
          .put("relu6", 2) // min(max(x, 0), t)
          .put("leaky_relu", 2) // max(x, a x)
          .put("sigmoid", 4) // 1 / (1 + exp(-x))
          .put("tanh", 1)
          .put("hard_swish", 5) // x min(max(x + o, 0), t) / s
          .put("hard_sigmoid", 4) // min(max(s x + o, 0), 1)
          .put("swish", 5) // x / (1 + exp(-b x))
          .put("gelu", 5) // x (1 + erf(x / c)) / 2
          .put("scale", 2) // s x + b
          .put("cast", 0)
          .put("exp", 1)
          .put("sqrt", 1)
          .put("square", 1)
          .put("abs", 1)
          .put("clip", 2)
          .put("elementwise_add", 1)
          .put("elementwise_sub", 1)
          .put("elementwise_mul", 1)
          .put("elementwise_div", 1)
          .put("elementwise_max", 1)
          .put("elementwise_min", 1)
          .put("transpose", 0)
          .put("nearest_interp", 0)
          .put("nearest_interp_v2", 0)
          .put("fill_constant", 0)
          .put("Relu", 1)
          .put("LeakyRelu", 2)
          .put("Sigmoid", 4)
          .put("Tanh", 1)
          .put("HardSwish", 5)
          .put("HardSigmoid", 4)
          .put("Clip", 2)
          .put("Cast", 0)
          .put("Erf", 1)
          .put("Exp", 1)
          .put("Neg", 1)
          .put("Sqrt", 1)
          .put("Abs", 1)
          .put("Add", 1)
          .put("Sub", 1)
          .put("Mul", 1)
          .put("Div", 1)
          .put("Transpose", 0)
          .buildOrThrow();

  /**
   * The program for a tensor at the peak; empty if the tensor is not read after the peak, or cannot
   * be computed again. O(accesses of the tensor and of the inputs of its operator), plus O(program)
   * for the copy.
   *
   * @param given the program of the facts
   * @param peak the node at which the peak is
   */
  static Optional<Recomputation> of(
      ProgramVersion given, ProgramFacts facts, PeakTensor tensor, int peak) {
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
        CHEAP.containsKey(operation.type())
            && operation.outputCount() == 1
            && operation.countInputs(variable.index()) == 0;
    if (!isCheap || !keepsInputs(graph, operation, writer, reader)) {
      return Optional.empty();
    }
    String again = OperatorEdits.again(variable.name());
    if (facts.program().declared(0, again) != Program.NO_VARIABLE) {
      return Optional.empty();
    }
    Operation next = graph.operation(reader);
    long elements = elements(facts, variable.index());
    return changed(given, operation, next, variable)
        .map(
            changed ->
                new Recomputation(changed, operation.type(), elements, next.location().toString()));
  }

  private static Optional<ProgramVersion> changed(
      ProgramVersion given, Operation writer, Operation reader, Variable variable) {
    if (given.model().isPresent()) {
      return given.model().get().repeating(writer, reader.index()).map(ProgramVersion::of);
    }
    return Optional.of(
        ProgramVersion.of(
            OperatorEdits.repeating(
                given.program(), writer.index(), reader.index(), variable.name())));
  }

  /** The operations on floating-point numbers that the second computation takes; -1 if unknown. */
  long flops() {
    return elements < 0 ? -1 : elements * CHEAP.getOrDefault(type, 0);
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
