package dev.sublet.verify.graph;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.BitSet;

/**
 * The pinned variables, which must keep their names in a rewritten program. Some of these names are
 * exclusive: no other variable may take them. O(arguments).
 *
 * <pre>
 *   y is fetched         y is pinned; before it is written, t may be renamed to y
 *   w is persistable     w is pinned, and its name is exclusive
 * </pre>
 */
public final class UnrenamableVariables {

  private final BitSet pinned;
  private final BitSet seenOutside;
  private final BitSet alone;
  private final BitSet aliased;

  private UnrenamableVariables(int variables) {
    this.pinned = new BitSet(variables);
    this.seenOutside = new BitSet(variables);
    this.alone = new BitSet(variables);
    this.aliased = new BitSet(variables);
  }

  /** Finds the pinned variables. O(accesses). */
  public static UnrenamableVariables of(
      NodeOrder nodes,
      DefUses accesses,
      SavedScopes savedScopes,
      ObservedVariables observed,
      OperatorCatalog catalog) {
    UnrenamableVariables result = new UnrenamableVariables(nodes.program().variableCount());
    result.alone.or(savedScopes.declaredTwice());
    result.alone.or(savedScopes.outOfOrder());
    result.alone.or(savedScopes.hidden());
    for (Variable variable : nodes.program().variables()) {
      if (observed.isObserved(variable.index())) {
        result.seenOutside.set(variable.index());
      }
      if (variable.isPersistable()
          || variable.kind() != Variable.Kind.TENSOR
          || variable.tensorType().isEmpty()
          || !nodes.isRun(variable.block())) {
        result.alone.set(variable.index());
      }
    }
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation operation = nodes.operation(node);
      if (nodes.isHead(node)) {
        add(accesses.implicit(node).pinned(), result.pinned);
      } else if (nodes.isOpaque(node)) {
        add(nodes.touches(node), result.pinned);
      } else if (operation.type().equals("feed")) {
        operation.addArgumentsTo(result.seenOutside);
      }
      OperatorSpec spec = catalog.lookup(operation.type());
      for (String slot : spec.writtenInputs()) {
        operation.inputSlot(slot).ifPresent(written -> addArguments(written, result.alone));
      }
      if (spec.aliases(nodes.program().version())) {
        operation.addArgumentsTo(result.aliased);
      }
    }
    result.alone.or(result.aliased);
    result.pinned.or(result.alone);
    return result;
  }

  private static void add(ImmutableIntArray variables, BitSet set) {
    for (int i = 0; i < variables.length(); i++) {
      set.set(variables.get(i));
    }
  }

  private static void addArguments(Slot slot, BitSet set) {
    for (int i = 0; i < slot.size(); i++) {
      if (slot.variable(i) != Program.NO_VARIABLE) {
        set.set(slot.variable(i));
      }
    }
  }

  /** Whether the variable must keep its name. */
  public boolean isPinned(int variable) {
    return pinned.get(variable) || seenOutside.get(variable);
  }

  /**
   * Whether the variable must keep its name inside the program too, and not only because it is fed
   * or observed at the end.
   */
  public boolean isPinnedInside(int variable) {
    return pinned.get(variable);
  }

  /** Whether the variable must keep its name and no other variable may take it. */
  public boolean isAlone(int variable) {
    return alone.get(variable);
  }

  /** Whether an operator makes the variable share a buffer with another variable at run time. */
  public boolean isAliased(int variable) {
    return aliased.get(variable);
  }
}
