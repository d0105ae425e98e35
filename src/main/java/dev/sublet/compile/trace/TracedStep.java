package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.TensorDraft;
import dev.sublet.runtime.kernel.Translation;
import java.util.Optional;

/**
 * An operator that remains in the C program.
 *
 * @param operation the operator
 * @param inputs the values that the operator reads, by slot
 * @param outputs the values that the operator writes, by slot
 * @param translation the operator as micro ops; empty for a copy: {@code assign}, or {@code
 *     select_input}, which copies one of several values
 */
public record TracedStep(
    Operation operation,
    ImmutableListMultimap<String, TracedValue> inputs,
    ImmutableListMultimap<String, TracedValue> outputs,
    Optional<Translation> translation) {

  private static final Operation ASSIGN = assign();

  public TracedStep {
    requireNonNull(operation, "operation");
    requireNonNull(inputs, "inputs");
    requireNonNull(outputs, "outputs");
    requireNonNull(translation, "translation");
  }

  /** A copy that loops and branches need, and for which the program has no operator. */
  static TracedStep copy(TracedValue from, TracedValue to) {
    return new TracedStep(
        ASSIGN,
        ImmutableListMultimap.of("X", from),
        ImmutableListMultimap.of("Out", to),
        Optional.empty());
  }

  /** Whether the step only copies bytes. */
  public boolean isCopy() {
    return translation.isEmpty();
  }

  /** Whether the step is a copy that no operator of the program makes. */
  @SuppressWarnings("ReferenceEquality") // the operator belongs to no program
  public boolean isAddedCopy() {
    return operation == ASSIGN;
  }

  private static Operation assign() {
    ProgramBuilder builder = ProgramBuilder.empty();
    int block = builder.addBlock(/* parent= */ -1);
    builder.declare(block, "x", TensorDraft.of(DataType.FP32));
    builder.declare(block, "y", TensorDraft.of(DataType.FP32));
    builder.add(
        block,
        OperationBuilder.of("assign")
            .input("X", ImmutableList.of("x"))
            .output("Out", ImmutableList.of("y")));
    return builder.build().block(0).operations().get(0);
  }
}
