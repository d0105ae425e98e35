package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.program.Operation;
import dev.sublet.runtime.kernel.Translation;

/**
 * An operator that remains in the C program.
 *
 * @param operation the operator
 * @param inputs the values that the operator reads, by slot
 * @param outputs the values that the operator writes, by slot
 * @param translation the operator as micro ops
 */
public record TracedStep(
    Operation operation,
    ImmutableListMultimap<String, TracedValue> inputs,
    ImmutableListMultimap<String, TracedValue> outputs,
    Translation translation) {

  public TracedStep {
    requireNonNull(operation, "operation");
    requireNonNull(inputs, "inputs");
    requireNonNull(outputs, "outputs");
    requireNonNull(translation, "translation");
  }
}
