package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * Two variables that are meant to have the same bytes.
 *
 * @param variable one variable
 * @param of the other
 * @param kind why: {@code in_place} (an output in the buffer of the input that dies there), {@code
 *     exclusive} (results of branches of which only one runs) or {@code runtime} (the operator
 *     itself shares the buffer)
 */
public record Alias(VariableId variable, VariableId of, String kind) {

  public Alias {
    requireNonNull(variable, "variable");
    requireNonNull(of, "of");
    requireNonNull(kind, "kind");
  }
}
