package dev.sublet.testing.simulate;

import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code while_grad} and {@code conditional_block_grad} in the scopes that were kept. */
final class GradientControl {

  private static final String GRAD = "@GRAD";

  private final Machine machine;
  private final Numbering numbering;
  private final Memory memory;

  GradientControl(Machine machine, Numbering numbering, Memory memory) {
    this.machine = machine;
    this.numbering = numbering;
    this.memory = memory;
  }

  /**
   * Visits the kept scopes, last first: hands the gradients of the outputs in, runs the block, and
   * adds the gradients of the inputs up: of tensors from zero at the first visit, of arrays from
   * the elements that they had before. Then the scopes are gone.
   */
  void runWhileGradient(Operation operation, Scope scope) {
    int block = operation.blocks().get(0);
    List<Scope> steps = machine.keptScopes(operation.inputSlot("StepScopes").orElse(null), scope);
    for (int i = steps.size() - 1; i >= 0; i--) {
      Scope local = steps.get(i);
      machine.createVariables(block, local);
      linkOutputGradients(operation, scope, local);
      machine.runBody(operation, local);
      accumulate(operation, scope, local, /* isFirst= */ i == steps.size() - 1);
    }
    steps.clear();
  }

  private void linkOutputGradients(Operation operation, Scope scope, Scope local) {
    Slot outer = operation.inputSlot("Out" + GRAD).orElse(null);
    Attribute inner = operation.attribute("original_output_grad").orElse(null);
    if (outer == null || inner == null) {
      return;
    }
    int head = numbering.head(operation);
    for (int i = 0; i < Math.min(outer.size(), inner.strings().size()); i++) {
      Cell source = scope.find(outer.argument(i));
      if (source != null) {
        local.bindIfAbsent(inner.strings().get(i), new Cell(null, null));
        Cell target = local.local(inner.strings().get(i));
        if (target != null) {
          int entry = memory.covers(target, 2 * head + 1) ? 2 * head + 1 : 2 * head + 2;
          memory.write(target, entry, memory.read(source, 2 * head));
        }
      }
    }
  }

  private void accumulate(Operation operation, Scope scope, Scope local, boolean isFirst) {
    Slot inputs = operation.inputSlot("X").orElse(null);
    Slot gradients = operation.outputSlot("X" + GRAD).orElse(null);
    if (inputs == null || gradients == null) {
      return;
    }
    for (int i = 0; i < Math.min(inputs.size(), gradients.size()); i++) {
      Cell outer = scope.find(gradients.argument(i));
      Cell inner = local.find(inputs.argument(i) + GRAD);
      if (outer != null && inner != null) {
        int exit = 2 * numbering.exit(operation) + 1;
        int last = 2 * numbering.last(operation) + 1;
        int point = memory.covers(outer, exit) ? exit : last;
        boolean isZero = isFirst && !inner.isArray();
        long sum = isZero ? Values.ZERO : memory.read(outer, point);
        long part = memory.read(inner, exit - 1, last);
        boolean undefined = sum == Values.UNDEFINED || part == Values.UNDEFINED;
        memory.write(outer, point, undefined ? Values.UNDEFINED : Values.mix(sum, part));
      }
    }
  }

  /** Runs the block in the kept scope if the branch was taken, then copies the gradients out. */
  void runConditionalGradient(Operation operation, Scope scope) {
    List<Scope> kept =
        new ArrayList<>(machine.keptScopes(operation.inputSlot("Scope").orElse(null), scope));
    if (!machine.condition(operation, "Cond", scope) || kept.isEmpty()) {
      return;
    }
    Scope local = kept.get(0);
    machine.createVariables(operation.blocks().get(0), local);
    machine.runBody(operation, local);
    Slot inputs = operation.inputSlot("Input").orElse(null);
    Slot gradients = operation.outputSlot("Input" + GRAD).orElse(null);
    if (inputs == null || gradients == null) {
      return;
    }
    for (int i = 0; i < Math.min(inputs.size(), gradients.size()); i++) {
      Cell outer = scope.find(gradients.argument(i));
      Cell inner = local.local(inputs.argument(i) + GRAD);
      if (outer != null && inner != null) {
        int exit = 2 * numbering.exit(operation);
        long value = memory.read(inner, exit, 2 * numbering.last(operation) + 1);
        memory.write(outer, 2 * numbering.exit(operation) + 1, value);
      }
    }
  }
}
