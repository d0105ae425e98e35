package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.TensorDraft;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Values that become one tensor.
 *
 * @param values the values, at least one
 * @param stacks whether they are joined along a new axis
 * @param axis the axis
 */
record TracedPieces(ImmutableList<TracedValue> values, boolean stacks, int axis) {

  /**
   * Adds an operator {@code concat} or {@code stack} that computes the tensor.
   *
   * @param operation the operator to which errors belong
   * @param output the variable of the tensor
   * @return whether that can be compiled
   */
  boolean join(Operation operation, int output, TraceState state, OperatorTrace operators) {
    Operation joined = operator();
    ImmutableListMultimap<String, TracedValue> read =
        ImmutableListMultimap.<String, TracedValue>builder().putAll("X", values).build();
    OperatorTrace.Outcome outcome;
    try {
      outcome = operators.trace(joined, read);
    } catch (OperatorException e) {
      throw e.in(operation.location());
    }
    if (outcome.refusal().isPresent()) {
      state.refuse(operation, outcome.refusal().get());
      return false;
    }
    String slot = stacks ? "Y" : "Out";
    boolean isConstant = outcome.code().isEmpty();
    TracedValue value =
        state.variables().set(output, outcome.outputs().get(slot).get(0), isConstant);
    if (!isConstant) {
      ImmutableListMultimap<String, TracedValue> written = ImmutableListMultimap.of(slot, value);
      state.steps().add(new TracedStep(joined, read, written, outcome.code().orElseThrow()));
    }
    return true;
  }

  private Operation operator() {
    ProgramBuilder builder = ProgramBuilder.empty();
    int block = builder.addBlock(/* parent= */ -1);
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (int i = 0; i < values.size(); i++) {
      builder.declare(block, "x" + i, TensorDraft.of(DataType.FP32));
      names.add("x" + i);
    }
    builder.declare(block, "y", TensorDraft.of(DataType.FP32));
    builder.add(
        block,
        OperationBuilder.of(stacks ? "stack" : "concat")
            .input("X", names.build())
            .output(stacks ? "Y" : "Out", ImmutableList.of("y"))
            .attribute("axis", axis));
    Program program = builder.build();
    return program.block(0).operations().get(0);
  }

  /** Returns the extents of the pieces along the axis. */
  Tensor extents() {
    int[] extents = new int[values.size()];
    for (int i = 0; i < extents.length; i++) {
      Tensor piece = values.get(i).tensor().tensor();
      extents[i] = stacks ? 1 : (int) piece.size(axis < 0 ? axis + piece.rank() : axis);
    }
    return Tensor.of(ImmutableLongArray.of(extents.length), extents);
  }
}
