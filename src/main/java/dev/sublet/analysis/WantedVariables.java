package dev.sublet.analysis;

import com.google.common.collect.ImmutableSet;
import dev.sublet.liveness.Observation;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;

/** The results of a program besides those that its {@code fetch} operators return. */
public final class WantedVariables {

  private WantedVariables() {}

  /**
   * Returns the names of the given variables, or, if neither the program nor the caller fetches
   * anything, of all observed tensors. O(operators + variables).
   *
   * @param fetch the variables that the caller wants
   */
  public static ImmutableSet<String> of(ProgramFacts facts, ImmutableSet<String> fetch) {
    Program program = facts.program();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("fetch") || operation.type().equals("fetch_v2")) {
        return fetch;
      }
    }
    if (!fetch.isEmpty()) {
      return fetch;
    }
    Observation observation = facts.liveness().observation();
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    for (Variable variable : program.block(0).variables()) {
      if (variable.kind() == Variable.Kind.TENSOR
          && observation.isObserved(variable.index())
          && !observation.isFeed(variable.index())
          && !variable.isPersistable()) {
        wanted.add(variable.name());
      }
    }
    return wanted.build();
  }
}
