package dev.sublet.runtime.machine;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;

/**
 * ONNX's operators on optionals. An optional is a variable that contains its tensor or sequence, or
 * nothing. Copies, as by branches and loops, hand on either.
 *
 * <p>Source: the operator specifications of opset 15 and later.
 */
final class OptionalOperators {

  private OptionalOperators() {}

  /** {@code Optional}: an optional with the input, or an empty one. */
  static void make(Step step, Machine machine) {
    Argument input = step.inputOrNull("0");
    if (input == null) {
      step.writeEmptyOptional(step.output("0"));
    } else {
      InputOutputOperators.copy(step, machine, input, step.output("0"));
    }
  }

  /**
   * {@code OptionalGetElement}: the content of an optional. A value that is no optional is its own
   * content.
   */
  static void get(Step step, Machine machine) {
    Argument input = step.input("0");
    if (!hasElement(step, input)) {
      throw new OperatorException("the optional is empty").at(input.name());
    }
    InputOutputOperators.copy(step, machine, input, step.output("0"));
  }

  /** {@code OptionalHasElement}. */
  static void has(Step step, Machine machine) {
    Argument input = step.inputOrNull("0");
    byte answer = (byte) (input != null && hasElement(step, input) ? 1 : 0);
    step.write("0", LodTensor.of(Tensor.ofBooleans(ImmutableLongArray.of(), answer)));
  }

  private static boolean hasElement(Step step, Argument input) {
    return input.cell().holdsArray() || step.isSet(input);
  }
}
