package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;

/**
 * The control flow of a program, the accesses to its variables, and its special variables, as the
 * validators derive them, without the analyses that planned.
 *
 * @param nodes the operators in execution order
 * @param accesses the reads and writes of each node
 * @param savedScopes the loops whose scopes are saved for their gradients
 * @param observed the variables that are read from outside, and the feeds
 * @param neverRenamed the variables that must keep their names
 * @param exclusive the pairs of conditional blocks of which one runs
 */
public record ProgramGraph(
    NodeOrder nodes,
    DefUses accesses,
    SavedScopes savedScopes,
    ObservedVariables observed,
    UnrenamableVariables neverRenamed,
    ExclusivePattern exclusive) {

  /**
   * Derives the graph of a program. O(accesses × nesting).
   *
   * @param sizes the sizes of the program's variables: an operator may skip an empty tensor
   * @param options the observed variables and feeds
   * @param alsoObserved the names of further variables that are observed
   */
  public static ProgramGraph of(
      Program program,
      OperatorCatalog catalog,
      Sizes sizes,
      ProofOptions options,
      ImmutableSet<String> alsoObserved) {
    NodeOrder nodes = NodeOrder.of(program, catalog);
    DefUses accesses = new DefUses(nodes, catalog, sizes::mayBeEmpty);
    SavedScopes savedScopes = SavedScopes.of(nodes, accesses);
    ObservedVariables observed = ObservedVariables.of(nodes, accesses, options, alsoObserved);
    UnrenamableVariables neverRenamed =
        UnrenamableVariables.of(nodes, accesses, savedScopes, observed, catalog);
    return new ProgramGraph(
        nodes,
        accesses,
        savedScopes,
        observed,
        neverRenamed,
        ExclusivePattern.recognize(nodes, accesses, neverRenamed, observed));
  }

  /** The program. */
  public Program program() {
    return nodes.program();
  }
}
