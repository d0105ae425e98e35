package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.LinkedHashSet;
import java.util.Set;

/** Knows which variables are observed and writes down what is seen of them. */
final class Observer {

  private final ImmutableSet<VariableId> observed;
  private final ListMultimap<String, Long> values = LinkedListMultimap.create();
  private boolean undefinedControl;

  Observer(ImmutableSet<VariableId> observed) {
    this.observed = observed;
  }

  /**
   * The variables that must hold their values at the end of the program, or of each run of their
   * block: persistables, arguments of {@code fetch}, outputs of operators that are targets, the
   * named ones, and the feeds if they are not to be reused. O(size).
   */
  static ImmutableSet<VariableId> observedIn(
      Program program, ImmutableSet<String> keep, ImmutableSet<String> feeds) {
    Set<VariableId> observed = new LinkedHashSet<>();
    for (Variable variable : program.variables()) {
      boolean isFeed = variable.block() == 0 && feeds.contains(variable.name());
      if (variable.isPersistable() || isFeed || keep.contains(variable.name())) {
        observed.add(variable.id());
      }
    }
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (operation.type().equals("fetch")) {
          add(program, operation.inputSlots(), observed);
        }
        if (operation.isTarget()) {
          add(program, operation.outputSlots(), observed);
        }
      }
    }
    return ImmutableSet.copyOf(observed);
  }

  private static void add(Program program, Iterable<Slot> slots, Set<VariableId> observed) {
    for (Slot slot : slots) {
      for (int i = 0; i < slot.size(); i++) {
        if (slot.variable(i) != Program.NO_VARIABLE) {
          observed.add(program.variable(slot.variable(i)).id());
        }
      }
    }
  }

  /** All observed variables. */
  ImmutableSet<VariableId> observed() {
    return observed;
  }

  void see(String what, long value) {
    values.put(what, value);
  }

  /** A control operator has read its condition. */
  void seeCondition(Operation operation, Operation original, long value) {
    undefinedControl |= value == Values.UNDEFINED;
    see("condition " + operation.block() + ":" + original.index(), value);
  }

  Observations observations() {
    return new Observations(ImmutableListMultimap.copyOf(values), undefinedControl);
  }
}
