package dev.sublet.cfg;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The accesses of control operators that their slots and blocks do not show, because their run
 * functions derive or link names.
 *
 * <p>An access at the start or end of a body is recorded at the head or the exit, which the graph's
 * edges make equivalent. All variables involved are pinned, because a renaming would break the
 * derivation of names.
 *
 * <p>Source: the run functions of {@code while_grad}, {@code conditional_block_grad}, {@code
 * recurrent} and {@code recurrent_grad}.
 */
final class ImplicitAccesses {

  private static final String GRADIENT_SUFFIX = "@GRAD";
  private static final int UPDATE = AccessTable.READ | AccessTable.WRITE | AccessTable.IMPLICIT;

  private final Program program;
  private final AccessCollector accesses;
  private final PinnedVariables pinned;

  ImplicitAccesses(Program program, AccessCollector accesses, PinnedVariables pinned) {
    this.program = program;
    this.accesses = accesses;
    this.pinned = pinned;
  }

  /** Adds the accesses at the head or the exit of a control operator; both have the same ones. */
  void add(Operation operation, ControlKind kind, Block body, int node) {
    switch (kind) {
      case WHILE_GRAD -> {
        linkOutputGradients(operation, body, node);
        accumulateGradients(operation, "X", body, node);
      }
      case CONDITIONAL_GRAD -> accumulateGradients(operation, "Input", body, node);
      case RECURRENT -> linkSteps(operation, body, node, /* gradients= */ false);
      case RECURRENT_GRAD -> linkSteps(operation, body, node, /* gradients= */ true);
      case NONE, WHILE, CONDITIONAL -> {}
    }
  }

  /** Adds the links of {@code while_grad}: each inner gradient shares the outer gradient's data. */
  private void linkOutputGradients(Operation operation, Block body, int node) {
    Optional<Attribute> names = operation.attribute("original_output_grad");
    if (names.isPresent()) {
      for (String name : names.get().strings()) {
        update(program.resolve(body.index(), name), node);
        linked(program.resolve(body.index(), name), body, operation);
      }
    }
    Optional<Slot> outer = operation.inputSlot("Out" + GRADIENT_SUFFIX);
    if (outer.isPresent()) {
      for (int i = 0; i < outer.get().size(); i++) {
        update(outer.get().variable(i), node);
      }
    }
  }

  /**
   * Adds the accumulation of gradients: at the end of a run, the runtime adds the inner gradient of
   * each input to the outer gradient, if the operator has that output.
   */
  private void accumulateGradients(Operation operation, String slotName, Block body, int node) {
    Optional<Slot> inputs = operation.inputSlot(slotName);
    Optional<Slot> gradients = operation.outputSlot(slotName + GRADIENT_SUFFIX);
    if (inputs.isEmpty()) {
      return;
    }
    for (int i = 0; i < inputs.get().size(); i++) {
      pin(inputs.get().variable(i));
    }
    int count = gradients.isEmpty() ? 0 : gradients.get().size();
    for (int i = 0; i < count; i++) {
      if (i < inputs.get().size() && gradients.get().variable(i) != Program.NO_VARIABLE) {
        update(program.resolve(body.index(), inputs.get().argument(i) + GRADIENT_SUFFIX), node);
      }
      update(gradients.get().variable(i), node);
    }
  }

  /**
   * Adds the links of {@code recurrent}: each name inside to the same name outside, and each state
   * to its successor.
   */
  private void linkSteps(Operation operation, Block body, int node, boolean gradients) {
    Set<String> names = new LinkedHashSet<>();
    for (Slot slot : operation.inputSlots()) {
      addNames(slot, names);
    }
    for (Slot slot : operation.outputSlots()) {
      addNames(slot, names);
    }
    for (String attribute : new String[] {"states", "ex_states"}) {
      operation.attribute(attribute).ifPresent(a -> names.addAll(a.strings()));
    }
    for (String name : names) {
      link(name, operation, body, node);
      if (gradients) {
        link(name + GRADIENT_SUFFIX, operation, body, node);
      }
    }
  }

  private static void addNames(Slot slot, Set<String> names) {
    for (int i = 0; i < slot.size(); i++) {
      if (!slot.argument(i).isEmpty() && !slot.argument(i).equals(Names.EMPTY)) {
        names.add(slot.argument(i));
      }
    }
  }

  private void link(String name, Operation operation, Block body, int node) {
    int inner = program.resolve(body.index(), name);
    int outer = program.resolve(operation.block(), name);
    update(inner, node);
    linked(inner, body, operation);
    if (outer != inner) {
      update(outer, node);
    }
  }

  private void linked(int variable, Block body, Operation operation) {
    if (variable != Program.NO_VARIABLE
        && program.variable(variable).block() != operation.block()
        && isInside(variable, body)) {
      pinned.leaveUnplanned(variable, "linked by name by '" + operation.type() + "'");
    }
  }

  /** Whether the body, or the forward body that shares its scope, declares the variable. */
  private boolean isInside(int variable, Block body) {
    int block = program.variable(variable).block();
    return block == body.index() || block == body.forward();
  }

  private void update(int variable, int node) {
    if (variable != Program.NO_VARIABLE) {
      pin(variable);
      accesses.add(variable, node, UPDATE);
    }
  }

  private void pin(int variable) {
    if (variable != Program.NO_VARIABLE) {
      pinned.pin(variable, "the runtime derives or links names from it");
    }
  }
}
