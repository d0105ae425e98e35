package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * A variable that the plan leaves to the runtime.
 *
 * @param variable the variable
 * @param reason the reason, in a few words
 */
public record Unplanned(VariableId variable, String reason) {

  public Unplanned {
    requireNonNull(variable, "variable");
    requireNonNull(reason, "reason");
  }
}
