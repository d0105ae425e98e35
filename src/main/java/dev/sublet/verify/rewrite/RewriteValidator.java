package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.Location;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a rewritten program computes the same results as its original: the entry point for
 * programs.
 *
 * <p>First, both programs must have the same structure: blocks, operators, slots, attributes, and
 * declarations that suit every variable for which they stand. Then both are run side by side over
 * the relation "has the same value as". Each operator must read related variables, and the observed
 * variables must be related to themselves at the end.
 *
 * <pre>
 *   original    a = relu(x)   b = tanh(a)   y = sum(a, b)
 *   rewritten   a = relu(x)   a = tanh(a)   y = sum(a, a)     a violation: sum reads a lost value
 * </pre>
 *
 * <p>O(operators × nesting) for ordinary programs. Not checked: whether a renaming saves memory.
 *
 * <p>Source: translation validation of register allocation (Rideau and Leroy, 2010), with value
 * numbers instead of sets of equations.
 */
public final class RewriteValidator {

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final Violations violations = new Violations();
  private final ProgramGraph graph;
  private final ImmutableMap<Position, UnrolledLoop> unrolled;

  private RewriteValidator(
      ProgramGraph graph,
      Program rewritten,
      OperatorCatalog catalog,
      ImmutableMap<Position, UnrolledLoop> unrolled) {
    this.graph = graph;
    this.original = graph.program();
    this.rewritten = rewritten;
    this.catalog = catalog;
    this.unrolled = unrolled;
  }

  /**
   * Validates a rewritten program. Never throws because of the rewritten program's content.
   *
   * @param sizes the sizes of the original's variables
   * @param places the memory spaces of the original's variables
   * @param options the observed variables and feeds
   */
  public static ValidationResult validate(
      Program original,
      Program rewritten,
      OperatorCatalog catalog,
      Sizes sizes,
      MemorySpaces places,
      ProofOptions options) {
    ProgramGraph graph = ProgramGraph.of(original, catalog, sizes, options, ImmutableSet.of());
    RewriteValidator validator = new RewriteValidator(graph, rewritten, catalog, ImmutableMap.of());
    validator.validate(new Measures(sizes, places));
    return validator.violations.result();
  }

  /**
   * The sizes and memory spaces of a program's variables.
   *
   * @param sizes their sizes
   * @param places their memory spaces
   */
  record Measures(Sizes sizes, MemorySpaces places) {}

  /**
   * Validates a rewritten program whose loops may also be unrolled. The copies of a body are
   * conditional blocks on the loop's own condition, one inside the other, each the last operator of
   * the copy before it.
   *
   * <p>A variable may have another name in each copy. After the loop, copies may restore values,
   * selected by a number that each copy of the body writes.
   *
   * <p>The original is unrolled like the rewritten program, and then the two are compared. At the
   * loop's exit the paths that leave it are kept separate until each has made its own copies.
   *
   * @param pair the rewritten program, with the original unrolled in the same way
   * @param sizes the sizes of the variables of {@link UnrolledPair#original()}
   * @param places the memory spaces of the same variables
   * @param options the observed variables and feeds
   */
  public static ValidationResult validateUnrolled(
      UnrolledPair pair,
      OperatorCatalog catalog,
      Sizes sizes,
      MemorySpaces places,
      ProofOptions options) {
    ProgramGraph graph = ProgramGraph.of(pair.original(), catalog, sizes, options, pair.observed());
    RewriteValidator validator =
        new RewriteValidator(graph, pair.rewritten(), catalog, pair.loops());
    validator.validate(new Measures(sizes, places));
    return validator.violations.result();
  }

  private void validate(Measures measures) {
    if (!hasSameBlocks()) {
      return;
    }
    InPlaceRule inPlace = new InPlaceRule(original, catalog, measures.sizes(), measures.places());
    NameAssignment assignment =
        new NameAssignment(
            graph,
            rewritten,
            measures,
            inPlace.lodCarriers(),
            /* mayMove= */ !unrolled.isEmpty(),
            violations);
    OperatorAlignment alignment =
        OperatorAlignment.of(graph.nodes(), rewritten, catalog, graph.neverRenamed(), violations);
    if (!violations.isEmpty()) {
      return; // without the same structure there is nothing to compare
    }
    checkOperators(alignment, assignment, inPlace);
    DeletionCheck.run(original, rewritten, assignment, violations);
    UnsetCopies.check(graph, rewritten, catalog, assignment, violations);
    new SnapshotCheck(graph.nodes(), graph.savedScopes(), alignment, violations).run();
    checkDeclarations(assignment);
    new ValueNumberingInterpreter(graph, alignment, assignment, unrolled, violations).run();
  }

  private boolean hasSameBlocks() {
    if (original.blocks().size() != rewritten.blocks().size()) {
      violations.add(Location.nowhere(), "the number of blocks was changed");
      return false;
    }
    if (original.version() != rewritten.version()) {
      violations.add(Location.nowhere(), "the program's version was changed");
    } else if (!original.hasSameFurtherFields(rewritten)) {
      violations.add(Location.nowhere(), "fields beside the blocks were changed, added or removed");
    }
    for (Block block : original.blocks()) {
      Block other = rewritten.block(block.index());
      if (block.parent() != other.parent() || block.forward() != other.forward()) {
        violations.add(Location.block(block.index()), "the parent or forward block was changed");
      } else if (!block.hasSameFurtherFields(other)) {
        violations.add(
            Location.block(block.index()),
            "fields beside variables and operators were changed, added or removed");
      }
    }
    return violations.isEmpty();
  }

  private void checkOperators(
      OperatorAlignment alignment, NameAssignment assignment, InPlaceRule inPlace) {
    NodeOrder nodes = graph.nodes();
    SlotOverlap overlap = new SlotOverlap(nodes, rewritten, inPlace, violations);
    for (int node = 0; node <= nodes.nodeCount(); node++) {
      for (Operation extra : alignment.extrasBefore(node)) {
        checkExtra(extra, alignment, assignment);
      }
    }
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation other = alignment.counterpart(node);
      checkLeftOut(node, other);
      if (other != null && !nodes.isExit(node)) {
        assignment.check(nodes.operation(node), other);
        overlap.check(node, other, assignment);
      }
    }
    for (Operation operation : alignment.unreached()) {
      assignment.check(operation, alignment.unreachedCounterpart(operation));
    }
    AttributeNames names = new AttributeNames(original, rewritten, assignment, violations);
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation other = alignment.counterpart(node);
      if (other != null && !nodes.isExit(node)) {
        names.check(nodes.operation(node), other);
      }
    }
    for (Operation operation : alignment.unreached()) {
      names.check(operation, alignment.unreachedCounterpart(operation));
    }
    assignment.checkCapacities();
  }

  /**
   * Adds a violation if the rewritten program lacks a copy whose target may be read outside the
   * program.
   */
  private void checkLeftOut(int node, @Nullable Operation other) {
    Operation operation = graph.nodes().operation(node);
    if (other == null
        && OperatorAlignment.isCopy(original, operation, catalog)
        && graph.neverRenamed().isAlone(operation.output(0))) {
      violations.add(
          operation,
          original.variable(operation.output(0)),
          "must be written here, but the rewritten program lacks the copy");
    }
  }

  private void checkExtra(Operation extra, OperatorAlignment alignment, NameAssignment assignment) {
    boolean deletes = OperatorAlignment.isDeletion(extra);
    int count = deletes ? extra.inputCount() : extra.outputCount();
    for (int i = 0; i < count; i++) {
      int v = deletes ? extra.input(i) : extra.output(i);
      int owner = v == Program.NO_VARIABLE ? Program.NO_VARIABLE : assignment.owner(v);
      boolean legal =
          owner == Program.NO_VARIABLE
              || !(deletes
                  ? graph.neverRenamed().isAliased(owner)
                  : graph.neverRenamed().isAlone(owner));
      if (!legal || (!deletes && extra.input(0) == v && !alignment.isLeftOntoItself(extra))) {
        violations.add(
            Location.block(extra.block()).at(Violations.display(rewritten.variable(v))),
            "op "
                + extra.index()
                + " ("
                + extra.type()
                + ") of the rewritten program, which the original lacks, may not write it");
      }
    }
  }

  private void checkDeclarations(NameAssignment assignment) {
    for (Variable variable : original.variables()) {
      int twin = assignment.twin(variable.index());
      if (twin != Program.NO_VARIABLE
          && variable.isPersistable() != rewritten.variable(twin).isPersistable()) {
        violations.add(variable, "is persistable in one of the programs only");
      }
      if (!graph.observed().isObserved(variable.index())) {
        continue;
      }
      if (twin == Program.NO_VARIABLE) {
        violations.add(variable, "is observed, but its declaration is gone");
        continue;
      }
      Variable other = rewritten.variable(twin);
      if (!variable.hasSameType(other) || variable.needsFeedCheck() != other.needsFeedCheck()) {
        violations.add(variable, "is observed, but its declaration was changed");
      }
    }
  }
}
