package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.verify.graph.DefUseIndex;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.Violations;
import java.util.ArrayList;
import java.util.List;

/**
 * The operators that were copied from an original, and a check that each name in a copy still
 * denotes the same variable.
 *
 * <pre>
 *   block 1 declares x; a copy of its operator relu(x) is in block 5, inside block 1
 *   if block 5 declares an x of its own, the copied name denotes the wrong variable
 * </pre>
 */
final class CopiedOperators {

  /** A copied operator, its source, and the scope in which the source's names are resolved. */
  private record Copied(int block, int index, Operation source, CopyScope scope) {}

  private final Program original;
  private final List<Copied> copied = new ArrayList<>();

  CopiedOperators(Program original) {
    this.original = original;
  }

  /**
   * Records an operator of the copy; the entry of a further copy of a loop's body is recorded with
   * the loop as its source.
   */
  void add(int block, int index, Operation source, CopyScope scope) {
    copied.add(new Copied(block, index, source, scope));
  }

  /**
   * Whether all names denote the same variables as in the original; the first one that does not is
   * a violation. O(arguments).
   */
  boolean check(Program copy, Violations violations) {
    for (Copied each : copied) {
      Operation operation = copy.block(each.block()).operations().get(each.index());
      boolean isEntry = !operation.type().equals(each.source().type());
      boolean meansTheSame =
          isEntry
              ? isMeant(
                  each,
                  LoopExits.condition(each.source()),
                  DefUseIndex.only(operation.inputSlot("Cond")),
                  copy)
              : areMeant(each, each.source().inputSlots(), operation.inputSlots(), copy)
                  && areMeant(each, each.source().outputSlots(), operation.outputSlots(), copy)
                  && areReferencesMeant(each, operation, copy);
      if (!meansTheSame) {
        violations.add(
            each.source().location(),
            "a name of the rewritten program hides a variable of the original in block "
                + each.block());
        return false;
      }
    }
    return true;
  }

  private boolean areReferencesMeant(Copied each, Operation operation, Program copy) {
    ImmutableList<AttributeReference> meant = original.attributeReferences(each.source());
    ImmutableList<AttributeReference> found = copy.attributeReferences(operation);
    boolean areMeant = meant.size() == found.size();
    for (int i = 0; areMeant && i < meant.size(); i++) {
      areMeant =
          meant.get(i).attribute().equals(found.get(i).attribute())
              && meant.get(i).position() == found.get(i).position()
              && isMeant(each, meant.get(i).variable(), found.get(i).variable(), copy);
    }
    return areMeant;
  }

  /**
   * Whether all arguments of the slots denote the same variables. Slots whose arguments were left
   * out are empty and so pass.
   */
  private boolean areMeant(
      Copied each, ImmutableList<Slot> meant, ImmutableList<Slot> found, Program copy) {
    for (int i = 0; i < meant.size(); i++) {
      for (int j = 0; j < found.get(i).size(); j++) {
        if (!isMeant(each, meant.get(i).variable(j), found.get(i).variable(j), copy)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isMeant(Copied each, int meant, int found, Program copy) {
    if (meant == Program.NO_VARIABLE || found == Program.NO_VARIABLE) {
      return meant == found;
    }
    Variable variable = original.variable(meant);
    VariableId expected = new VariableId(each.scope().home(variable), variable.name());
    return copy.variable(found).id().equals(expected);
  }
}
