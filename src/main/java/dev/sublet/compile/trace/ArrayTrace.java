package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Optional;

/** Traces the operators on arrays. Their indices must not depend on feeds. */
final class ArrayTrace {

  private ArrayTrace() {}

  static void write(Operation operation, TraceState state) {
    TracedVariables variables = state.variables();
    Optional<Long> index = variables.number(operation, "I");
    TracedValue value = variables.value(TracedVariables.input(operation, "X"));
    if (index.isEmpty()
        || value == null
        || index.get() < 0
        || index.get() > TraceState.MOST_OPERATORS) {
      state.refusals().add(operation, "its index or its value depends on data");
    } else {
      int array = TracedVariables.output(operation, "Out");
      state.arrays().set(array, Math.toIntExact(index.get()), value);
    }
  }

  static void read(Operation operation, TraceState state) {
    Optional<Long> index = state.variables().number(operation, "I");
    TracedValue value =
        index.isEmpty()
            ? null
            : state.arrays().get(TracedVariables.input(operation, "X"), index.get());
    if (value == null) {
      state.refuse(operation, "its index depends on data, or it reads an element without a value");
    } else {
      state.assign(operation, TracedVariables.output(operation, "Out"), value);
    }
  }

  static void length(Operation operation, TraceState state) {
    long length = state.arrays().length(TracedVariables.input(operation, "X"));
    state
        .variables()
        .setConstant(
            TracedVariables.output(operation, "Out"), Tensor.of(ImmutableLongArray.of(1), length));
  }

  /** Joins the elements of an array: an operator {@code concat} or {@code stack}. */
  static void join(Operation operation, TraceState state, OperatorTrace operators) {
    ImmutableList<TracedValue> parts =
        state.arrays().elements(TracedVariables.input(operation, "X"));
    int output = TracedVariables.output(operation, "Out");
    if (parts.isEmpty() || output == Program.NO_VARIABLE) {
      state.refuse(operation, "its array is empty, or has an element without a value");
      return;
    }
    boolean stacks = operation.flag("use_stack");
    int axis = Math.toIntExact(operation.attribute("axis").map(a -> a.asLong(0)).orElse(0L));
    Operation joined = TracedArrays.join(parts, stacks, axis);
    ImmutableListMultimap<String, TracedValue> read =
        ImmutableListMultimap.<String, TracedValue>builder().putAll("X", parts).build();
    OperatorTrace.Outcome outcome;
    try {
      outcome = operators.trace(joined, read);
    } catch (OperatorException e) {
      throw e.in(operation.location());
    }
    if (outcome.refusal().isPresent()) {
      state.refuse(operation, outcome.refusal().get());
      return;
    }
    String slot = stacks ? "Y" : "Out";
    boolean isConstant = outcome.translation().isEmpty();
    TracedVariables variables = state.variables();
    TracedValue value = variables.set(output, outcome.outputs().get(slot).get(0), isConstant);
    if (!isConstant) {
      ImmutableListMultimap<String, TracedValue> written = ImmutableListMultimap.of(slot, value);
      state.steps().add(new TracedStep(joined, read, written, outcome.translation()));
    }
    variables.setConstant(
        TracedVariables.output(operation, "OutIndex"), TracedArrays.extents(parts, stacks, axis));
  }
}
