package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Evaluates the conditions of control operators. */
final class Conditions {

  private Conditions() {}

  /**
   * Whether the condition in an input slot of a control operator is true.
   *
   * @throws OperatorException if the condition is not one boolean
   */
  static boolean isTrue(Step step, String slot) {
    ImmutableList<Argument> arguments = step.inputs(slot);
    if (arguments.size() != 1) {
      throw new OperatorException(
          "input " + slot + " has " + arguments.size() + " arguments; it must have one");
    }
    Tensor tensor = step.read(arguments.get(0)).tensor();
    boolean isTruth = tensor.type() == ElementType.BOOL || tensor.type() == ElementType.INT32;
    if (!isTruth || tensor.length() != 1) {
      throw new OperatorException(
              "input " + slot + " must be one boolean but is " + tensor.type() + tensor.shape())
          .at(arguments.get(0).name());
    }
    return tensor.getLong(0) != 0;
  }

  /**
   * Whether a conditional operator runs its block. If its attribute {@code is_scalar_condition} is
   * set, the input {@code Cond} decides; otherwise the block runs if no tensor of the slot {@code
   * Input} is empty or unset.
   */
  static boolean isTaken(Step step) {
    if (step.operation().flag("is_scalar_condition")) {
      return isTrue(step, "Cond");
    }
    for (Argument input : step.inputs("Input")) {
      LodTensor tensor = step.shapeOf(input);
      if (!input.cell().isArray() && (tensor == null || tensor.tensor().length() == 0)) {
        return false;
      }
    }
    return true;
  }
}
