package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.program.Operation;
import dev.sublet.runtime.kernel.Translation;

/**
 * An operator that remains in the C program.
 *
 * @param operation the operator
 * @param inputs the values that the operator reads, by slot
 * @param outputs the values that the operator writes, by slot; in slots {@code slot + }{@link
 *     CRoutine#SHAPE} the shapes of those whose shapes depend on data
 * @param code the operator's computation
 */
record TracedStep(
    Operation operation,
    ImmutableListMultimap<String, TracedValue> inputs,
    ImmutableListMultimap<String, TracedValue> outputs,
    Code code) {

  /** The computation of an operator. */
  sealed interface Code {

    /** Loop nests. */
    record OfLoops(Translation translation) implements Code {}

    /** Calls of C functions. */
    record OfRoutine(CRoutine routine) implements Code {}
  }

  TracedStep {
    requireNonNull(operation, "operation");
    requireNonNull(inputs, "inputs");
    requireNonNull(outputs, "outputs");
    requireNonNull(code, "code");
  }
}
