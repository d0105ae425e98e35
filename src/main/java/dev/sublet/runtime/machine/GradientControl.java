package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Sums;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Cell;
import dev.sublet.runtime.memory.Memory;
import dev.sublet.runtime.memory.Numbering;
import dev.sublet.runtime.memory.Scope;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code while_grad} and {@code conditional_block_grad} in the scopes that the forward
 * operators kept.
 *
 * <p>Source: {@code while_op.cc}, {@code conditional_block_op.cc} of Paddle 2.4.
 */
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
   * Runs a {@code while_grad}: visits the kept scopes from the last to the first, and then drops
   * them.
   *
   * <p>For each scope it passes in the gradients of the outputs, runs the block, and adds the
   * gradients of the inputs to their sums. The sum of tensors starts from zero at the first visit,
   * the sum of arrays from the elements that the array had before the operator. An exception is a
   * gradient that is also passed in: it is replaced, not summed, because it belongs to a value that
   * one iteration passes to the next. If the loop ran no iteration, the gradients keep their
   * values.
   */
  void runWhileGradient(Step step) {
    int block = step.operation().blocks().get(0);
    List<Scope> scopes = ForwardControl.keptScopes(step.inputOrNull("StepScopes"));
    for (int i = scopes.size() - 1; i >= 0; i--) {
      Scope local = scopes.get(i);
      machine.createVariables(block, local);
      linkOutputGradients(step, local);
      machine.runBlock(block, local);
      accumulate(step, local, /* isFirst= */ i == scopes.size() - 1);
    }
    scopes.clear();
  }

  private void linkOutputGradients(Step step, Scope local) {
    ImmutableList<String> inner =
        step.operation()
            .attribute("original_output_grad")
            .map(Attribute::strings)
            .orElse(ImmutableList.of());
    for (Argument outer : step.inputs("Out" + GRAD)) {
      if (outer.index() >= inner.size()) {
        throw new OperatorException(
            "attribute original_output_grad has "
                + inner.size()
                + " names, fewer than input Out@GRAD");
      }
      if (outer.cell().isArray()) {
        linkArray(step, outer.cell(), local, inner.get(outer.index()));
        continue;
      }
      Cell target = local.bindIfAbsent(inner.get(outer.index()), Cell.undeclared());
      LodTensor value = memory.read(outer.cell(), 2 * step.node());
      if (value != null) {
        int head = 2 * step.node();
        memory.write(target, memory.covers(target, head + 1) ? head + 1 : head + 2, value);
      }
    }
  }

  /**
   * Gives the inner array the elements of the outer one. An inner array without a declaration has
   * its elements where the outer one has them.
   */
  private void linkArray(Step step, Cell outer, Scope local, String inner) {
    List<@Nullable LodTensor> elements = memory.elements(outer, 2 * step.node());
    Cell target = local.bindIfAbsent(inner, outer.inAnotherScope());
    memory.setElements(target, 2 * step.node() + 1, elements);
  }

  private void accumulate(Step step, Scope local, boolean isFirst) {
    Operation operation = step.operation();
    Slot inputs = operation.inputSlot("X").orElse(null);
    Slot gradients = operation.outputSlot("X" + GRAD).orElse(null);
    if (inputs == null || gradients == null) {
      return;
    }
    ImmutableSet<String> carried = names(step.inputs("Out" + GRAD));
    for (int i = 0; i < Math.min(inputs.size(), gradients.size()); i++) {
      String name = gradients.argument(i);
      Cell outer = step.scope().find(name);
      boolean replaces = carried.contains(name);
      Cell inner = local.find(replaces ? name : inputs.argument(i) + GRAD);
      if (outer != null && inner != null) {
        try {
          accumulate(operation, inner, outer, replaces, isFirst);
        } catch (OperatorException e) {
          throw e.at(name);
        }
      }
    }
  }

  private static ImmutableSet<String> names(ImmutableList<Argument> arguments) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (Argument argument : arguments) {
      names.add(argument.name());
    }
    return names.build();
  }

  private void accumulate(
      Operation operation, Cell inner, Cell outer, boolean replaces, boolean isFirst) {
    int exit = 2 * numbering.exit(operation) + 1;
    int last = 2 * numbering.last(operation) + 1;
    int point = memory.covers(outer, exit) ? exit : last;
    if (inner.isArray()) {
      List<@Nullable LodTensor> parts = memory.elements(inner, last);
      List<@Nullable LodTensor> sums = replaces ? new ArrayList<>() : memory.elements(outer, point);
      Sums.addArray(parts, sums);
      memory.setElements(outer, point, sums);
      return;
    }
    LodTensor part = memory.read(inner, last);
    LodTensor sum = replaces || isFirst ? null : memory.read(outer, point);
    if (part != null) {
      Tensor total = sum == null ? part.tensor() : Sums.add(sum.tensor(), part.tensor());
      memory.write(outer, point, new LodTensor(total, part.lod()));
    }
  }

  /**
   * Runs a {@code conditional_block_grad}: runs the block in the kept scope if the branch was
   * taken, then copies the gradients out. The gradients are zero if the branch was not taken, and
   * for inputs for which the block computes no gradient.
   */
  void runConditionalGradient(Step step) {
    List<Scope> scopes = ForwardControl.keptScopes(step.inputOrNull("Scope"));
    Scope local = Conditions.isTaken(step) && !scopes.isEmpty() ? scopes.get(0) : null;
    if (local != null) {
      int block = step.operation().blocks().get(0);
      machine.createVariables(block, local);
      machine.runBlock(block, local);
    }
    Slot inputs = step.operation().inputSlot("Input").orElse(null);
    Slot gradients = step.operation().outputSlot("Input" + GRAD).orElse(null);
    if (inputs == null || gradients == null) {
      return;
    }
    for (int i = 0; i < Math.min(inputs.size(), gradients.size()); i++) {
      Cell outer = step.scope().find(gradients.argument(i));
      Cell forward = step.scope().find(inputs.argument(i));
      Cell inner = local == null ? null : local.local(inputs.argument(i) + GRAD);
      if (outer != null) {
        copyOut(step, inner, forward, outer);
      }
    }
  }

  private void copyOut(Step step, @Nullable Cell inner, @Nullable Cell forward, Cell outer) {
    int last = 2 * numbering.last(step.operation()) + 1;
    int exit = 2 * numbering.exit(step.operation()) + 1;
    if (inner != null && inner.isArray()) {
      memory.setElements(outer, exit, memory.elements(inner, last));
      return;
    }
    LodTensor value = inner == null ? null : memory.read(inner, last);
    if (value == null && forward != null && !forward.isArray()) {
      LodTensor like = memory.readShape(forward, 2 * step.node());
      value =
          like == null
              ? null
              : new LodTensor(
                  Tensor.zeros(like.tensor().type(), like.tensor().shape()), like.lod());
    }
    if (value != null) {
      memory.write(outer, exit, value);
    }
  }
}
