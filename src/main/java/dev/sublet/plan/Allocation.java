package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.VariableId;

/**
 * Where one web of a variable is: the bytes that the variable occupies during some of its live
 * ranges. A variable that is written several times independently has several.
 *
 * @param variable the variable
 * @param arena the arena's index in the plan
 * @param offset the first byte in the arena
 * @param bytes how many bytes
 * @param live when the variable occupies them: ascending, disjoint
 */
public record Allocation(
    VariableId variable, int arena, long offset, long bytes, ImmutableList<Interval> live) {

  public Allocation {
    requireNonNull(variable, "variable");
    requireNonNull(live, "live");
  }
}
