package dev.sublet.verify.rewrite;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.ExclusivePattern;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.SavedScopes;
import dev.sublet.verify.graph.UnrenamableVariables;

/**
 * The locals of a loop's body whose values pass from one iteration of the original to the next, and
 * those whose values do not.
 *
 * <p>Three kinds of locals start each iteration without an old value: tensors that each iteration
 * overwrites first; tensors that only one branch writes and only a select between this branch and
 * its opposite reads; and arrays, which are empty when an iteration begins. O(accesses) to build.
 */
final class BodyLocals {

  private final ObservedVariables observed;
  private final ExclusivePattern exclusive;
  private final LodCarriers lod;

  BodyLocals(Program original, OperatorCatalog catalog, Sizes sizes, ProofOptions options) {
    NodeOrder nodes = NodeOrder.of(original, catalog);
    DefUses accesses = new DefUses(nodes, catalog, sizes::mayBeEmpty);
    this.observed = ObservedVariables.of(nodes, accesses, options);
    SavedScopes savedScopes = SavedScopes.of(nodes, accesses);
    UnrenamableVariables neverRenamed =
        UnrenamableVariables.of(nodes, accesses, savedScopes, observed, catalog);
    this.exclusive = ExclusivePattern.recognize(nodes, accesses, neverRenamed, observed);
    this.lod = LodCarriers.find(original, catalog);
  }

  /** Whether no iteration reads a value that an earlier one has left in a variable of the body. */
  boolean beginsAnew(Variable variable) {
    boolean isTensor = variable.kind() == Variable.Kind.TENSOR;
    boolean isWrittenAnew =
        isTensor
            && (observed.isOverwrittenFirst(variable.index())
                || exclusive.isResult(variable.index()));
    return !variable.isPersistable()
        && (isWrittenAnew || variable.kind() == Variable.Kind.TENSOR_ARRAY);
  }

  /** Whether a variable may carry LoD, which a runtime clears between iterations. */
  boolean carriesLod(Variable variable) {
    return !variable.isPersistable()
        && variable.kind() == Variable.Kind.TENSOR
        && lod.carries(variable.index());
  }

  /** Whether a variable is observed. */
  boolean isObserved(Variable variable) {
    return observed.isObserved(variable.index());
  }
}
