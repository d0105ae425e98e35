package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
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
    ImmutableList<TracedValue> elements =
        state.arrays().elements(TracedVariables.input(operation, "X"));
    int output = TracedVariables.output(operation, "Out");
    if (elements.isEmpty() || output == Program.NO_VARIABLE) {
      state.refuse(operation, "its array is empty, or has an element without a value");
      return;
    }
    int axis = Math.toIntExact(operation.attribute("axis").map(a -> a.asLong(0)).orElse(0L));
    TracedPieces pieces = new TracedPieces(elements, operation.flag("use_stack"), axis);
    if (pieces.join(operation, output, state, operators)) {
      int extents = TracedVariables.output(operation, "OutIndex");
      state.variables().setConstant(extents, pieces.extents());
    }
  }
}
