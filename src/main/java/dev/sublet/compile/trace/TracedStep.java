package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.TensorDraft;
import dev.sublet.runtime.kernel.Translation;

/**
 * An operator that remains in the C program.
 *
 * @param operation the operator
 * @param inputs the values that the operator reads, by slot
 * @param outputs the values that the operator writes, by slot; in slots {@code slot + }{@link
 *     CRoutine#SHAPE} the shapes of those whose shapes depend on data
 * @param code the operator's computation
 * @param joined the operators after it whose computations are part of the code
 */
public record TracedStep(
    Operation operation,
    ImmutableListMultimap<String, TracedValue> inputs,
    ImmutableListMultimap<String, TracedValue> outputs,
    Code code,
    ImmutableList<Operation> joined) {

  /** The computation of an operator. */
  public sealed interface Code {

    /** Loop nests. */
    record OfLoops(Translation translation) implements Code {}

    /** Calls of C functions. */
    record OfRoutine(CRoutine routine) implements Code {}

    /** A copy: {@code assign}, or {@code select_input}, which copies one of several values. */
    record OfCopy() implements Code {}
  }

  private static final Operation ASSIGN = assign();

  public TracedStep {
    requireNonNull(operation, "operation");
    requireNonNull(inputs, "inputs");
    requireNonNull(outputs, "outputs");
    requireNonNull(code, "code");
    requireNonNull(joined, "joined");
  }

  TracedStep(
      Operation operation,
      ImmutableListMultimap<String, TracedValue> inputs,
      ImmutableListMultimap<String, TracedValue> outputs,
      Code code) {
    this(operation, inputs, outputs, code, ImmutableList.of());
  }

  /** The same operator joined with the next one, whose results the step has. */
  public TracedStep joinedWith(
      TracedStep next, ImmutableListMultimap<String, TracedValue> newOutputs) {
    return new TracedStep(
        operation,
        inputs,
        newOutputs,
        code,
        ImmutableList.<Operation>builder()
            .addAll(joined)
            .add(next.operation())
            .addAll(next.joined)
            .build());
  }

  /** A copy that loops and branches need, and for which the program has no operator. */
  static TracedStep copy(TracedValue from, TracedValue to) {
    return new TracedStep(
        ASSIGN,
        ImmutableListMultimap.of("X", from),
        ImmutableListMultimap.of("Out", to),
        new Code.OfCopy());
  }

  /** Whether the step only copies bytes. */
  public boolean isCopy() {
    return code instanceof Code.OfCopy;
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
