package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the operators that cannot be compiled, so that one error lists all of them. */
final class Refusals {

  /** The operators by type and reason, in the order of the program. */
  private final Map<List<String>, List<Operation>> byReason = new LinkedHashMap<>();

  private int dependents;

  /** Returns a list of the same operators. */
  Refusals copy() {
    Refusals copy = new Refusals();
    byReason.forEach((key, operations) -> copy.byReason.put(key, new ArrayList<>(operations)));
    copy.dependents = dependents;
    return copy;
  }

  /** The number of refused operators, and of those that were not looked at. */
  int count() {
    return dependents + byReason.values().stream().mapToInt(List::size).sum();
  }

  /** Adds an operator, with the reason in a few words. */
  void add(Operation operation, String reason) {
    byReason
        .computeIfAbsent(List.of(operation.type(), reason), key -> new ArrayList<>())
        .add(operation);
  }

  boolean isEmpty() {
    return byReason.isEmpty();
  }

  /** Counts an operator that was not looked at, since its inputs come from a refused one. */
  void addDependent() {
    dependents++;
  }

  /**
   * Throws an error with all operators.
   *
   * @throws ProgramException if there are any (exit code 4)
   */
  void check() {
    if (byReason.isEmpty()) {
      return;
    }
    int count = count() - dependents;
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    byReason.forEach(
        (key, operations) ->
            lines.add(
                "  "
                    + key.get(0)
                    + " ("
                    + operations.size()
                    + (operations.size() == 1 ? " time, " : " times, first ")
                    + "at block "
                    + operations.get(0).block()
                    + ", op "
                    + operations.get(0).index()
                    + "): "
                    + key.get(1)));
    if (dependents > 0) {
      lines.add("  " + dependents + " more that read their results were not looked at");
    }
    throw ProgramException.unsupported(
        count + (count == 1 ? " operator" : " operators") + " cannot be compiled to C",
        lines.build());
  }
}
