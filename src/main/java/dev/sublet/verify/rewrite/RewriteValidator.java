package dev.sublet.verify.rewrite;

import static java.util.Objects.requireNonNull;

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
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.ExclusivePattern;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.SavedScopes;
import dev.sublet.verify.graph.UnrenamableVariables;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a rewritten program computes what its original computes: the front door for programs.
 *
 * <p>First the two must have the same structure: blocks, operators, slots, attributes, and
 * declarations that suit every variable they stand for. Then both are run side by side over the
 * relation "holds the same value as"; each operator must read related variables, and the observed
 * ones must be related to themselves at the end.
 *
 * <p>O(operators × nesting) for ordinary programs. Not checked: that a renaming is worth while.
 *
 * <p>Source: translation validation of register allocation (Rideau and Leroy, 2010), with value
 * numbers in place of sets of equations.
 */
public final class RewriteValidator {

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final Violations violations = new Violations();
  private final NodeOrder nodes;
  private final DefUses accesses;
  private final SavedScopes savedScopes;
  private final ObservedVariables observed;
  private final UnrenamableVariables neverRenamed;
  private final ImmutableMap<Position, UnrolledLoop> unrolled;

  private RewriteValidator(
      Program original,
      Program rewritten,
      OperatorCatalog catalog,
      Sizes sizes,
      ProofOptions options,
      ImmutableSet<String> alsoObserved,
      ImmutableMap<Position, UnrolledLoop> unrolled) {
    this.unrolled = unrolled;
    this.original = original;
    this.rewritten = rewritten;
    this.catalog = catalog;
    this.nodes = NodeOrder.of(original, catalog);
    this.accesses = new DefUses(nodes, catalog, sizes::mayBeEmpty);
    this.savedScopes = SavedScopes.of(nodes, accesses);
    this.observed = ObservedVariables.of(nodes, accesses, options, alsoObserved);
    this.neverRenamed = UnrenamableVariables.of(nodes, accesses, savedScopes, observed, catalog);
  }

  /**
   * Validates a rewriting. Never throws because of what the rewritten program says.
   *
   * @param sizes the sizes of the original's variables
   * @param places where the original's variables live
   * @param options what is observed
   */
  public static ValidationResult validate(
      Program original,
      Program rewritten,
      OperatorCatalog catalog,
      Sizes sizes,
      MemorySpaces places,
      ProofOptions options) {
    RewriteValidator validator =
        new RewriteValidator(
            original, rewritten, catalog, sizes, options, ImmutableSet.of(), ImmutableMap.of());
    validator.validate(sizes, places);
    return validator.violations.result();
  }

  /**
   * What is known about a program's variables.
   *
   * @param sizes their sizes
   * @param places where they live
   */
  public record Measures(Sizes sizes, MemorySpaces places) {

    public Measures {
      requireNonNull(sizes, "sizes");
      requireNonNull(places, "places");
    }
  }

  /**
   * As {@link #validate}, but loops may be unrolled as well: into conditional blocks on the loop's
   * own condition, one in the other, each the last operator of the copy before it. A variable may
   * be another one in each copy. Behind the loop copies may put values back, chosen by a number
   * that each copy leaves behind.
   *
   * <p>The original is unrolled like the rewritten program, see {@link OriginalUnroller}, and then
   * the two are compared. At the loop's exit the paths on which it may be left are kept apart until
   * each has made its own copies.
   *
   * @param measure tells what is known about the variables of the original, as it is and unrolled
   */
  public static ValidationResult validateUnrolled(
      Program original,
      Sizes originalSizes,
      Program rewritten,
      OperatorCatalog catalog,
      Function<Program, Measures> measure,
      ProofOptions options) {
    Violations violations = new Violations();
    OriginalUnroller.Result same =
        new OriginalUnroller(original, rewritten, catalog, originalSizes, options, violations)
            .run();
    if (same == null) {
      return violations.result();
    }
    Measures measures = measure.apply(same.original());
    RewriteValidator validator =
        new RewriteValidator(
            same.original(),
            same.rewritten(),
            catalog,
            measures.sizes(),
            options,
            same.observed(),
            same.loops());
    validator.validate(measures.sizes(), measures.places());
    return validator.violations.result();
  }

  private void validate(Sizes sizes, MemorySpaces places) {
    if (!hasSameBlocks()) {
      return;
    }
    InPlaceRule inPlace = new InPlaceRule(original, catalog, sizes, places);
    NameAssignment assignment =
        new NameAssignment(
            original,
            rewritten,
            sizes,
            places,
            neverRenamed,
            inPlace.lodCarriers(),
            /* mayMove= */ !unrolled.isEmpty(),
            violations);
    OperatorAlignment alignment =
        OperatorAlignment.of(nodes, rewritten, catalog, neverRenamed, violations);
    if (!violations.isEmpty()) {
      return; // without the same structure there is nothing to compare
    }
    checkOperators(alignment, assignment, inPlace);
    DeletionCheck.run(original, rewritten, assignment, violations);
    new SnapshotCheck(nodes, savedScopes, alignment, violations).run();
    checkDeclarations(assignment);
    ExclusivePattern exclusive =
        ExclusivePattern.recognize(nodes, accesses, neverRenamed, observed);
    new ValueNumberingInterpreter(
            nodes,
            accesses,
            savedScopes,
            observed,
            exclusive,
            alignment,
            assignment,
            unrolled,
            violations)
        .run();
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

  /** A copy that others than the program may see cannot be left out. */
  private void checkLeftOut(int node, @Nullable Operation other) {
    Operation operation = nodes.operation(node);
    if (other == null
        && OperatorAlignment.isCopy(original, operation, catalog)
        && neverRenamed.isAlone(operation.output(0))) {
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
              || !(deletes ? neverRenamed.isAliased(owner) : neverRenamed.isAlone(owner));
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
      if (!observed.isObserved(variable.index())) {
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
