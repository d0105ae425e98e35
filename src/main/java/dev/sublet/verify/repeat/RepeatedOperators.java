package dev.sublet.verify.repeat;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.shape.RowOperators;
import dev.sublet.verify.graph.ProgramGraph;
import java.util.Optional;

/**
 * Undoes changes of a program in which operators run more often than in its original: the entry
 * point for repeated operators. Stateless.
 */
public final class RepeatedOperators {

  private RepeatedOperators() {}

  /**
   * Undoes one change. O(accesses), plus O(program) for the copy.
   *
   * @param graph the graph of the changed program
   * @param original the graph of the program whose variables are not new
   * @param rows the operators of the changed program that compute row by row
   * @return a program that computes the same and has fewer variables that are new; empty if no
   *     change is found, or none is proved
   */
  public static Optional<Program> undone(
      ProgramGraph graph, ProgramGraph original, RowOperators rows, OperatorCatalog catalog) {
    NewVariables variables = new NewVariables(graph, original, catalog);
    if (variables.isEmpty()) {
      return Optional.empty();
    }
    return new Repetitions(variables)
        .undone()
        .or(() -> new HalvedOperators(variables, rows).undone());
  }
}
