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
 * What of the locals of a loop's body gets from one iteration of the original to the next. Nothing
 * of tensors that each iteration overwrites first, or that only a branch writes and only a select
 * between this branch and another one reads; and nothing of arrays, which are empty when an
 * iteration begins. O(accesses) to build.
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

  /** Whether an iteration never sees what an earlier one has left in a variable of the body. */
  boolean beginsAnew(Variable variable) {
    boolean isTensor = variable.kind() == Variable.Kind.TENSOR;
    boolean isWrittenAnew =
        isTensor
            && (observed.isOverwrittenFirst(variable.index())
                || exclusive.isResult(variable.index()));
    return !variable.isPersistable()
        && (isWrittenAnew || variable.kind() == Variable.Kind.TENSOR_ARRAY);
  }

  /** Whether a variable may hold sequence information, which a runtime clears in between. */
  boolean carriesLod(Variable variable) {
    return !variable.isPersistable()
        && variable.kind() == Variable.Kind.TENSOR
        && lod.carries(variable.index());
  }

  /** Whether a variable is seen from outside. */
  boolean isObserved(Variable variable) {
    return observed.isObserved(variable.index());
  }
}
