package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;

/** Operators that copy values, receive feeds, return fetched values, or drop values. */
final class InputOutputOperators {

  private InputOutputOperators() {}

  /**
   * {@code feed}: writes the fed tensor, unless the variable got it before the program started. (It
   * did not if the memory has no place for the variable at that time.)
   */
  static void feed(Step step, Machine machine) {
    Argument output = step.output("Out");
    LodTensor tensor = machine.feed(output.name());
    if (tensor != null) {
      step.write(output, tensor);
    }
  }

  /** {@code fetch}: the value becomes a result of the program. */
  static void fetch(Step step, Machine machine) {
    Argument input = step.input("X");
    if (input.cell().isArray()) {
      throw new OperatorException("arrays cannot be fetched").at(input.name());
    }
    long column = step.operation().attribute("col").map(a -> a.asLong(0)).orElse(0L);
    machine.fetch(column, input.name(), step.read(input));
  }

  /** {@code assign} and equivalent operators: copies a tensor with its LoD, or an array. */
  static void assign(Step step, Machine machine) {
    copy(step, machine, step.input("X"), step.output("Out"));
  }

  /** {@code Identity} of a sequence or of an optional that contains nothing. */
  static void identity(Step step, Machine machine) {
    copy(step, machine, step.inputs().get(0), step.outputs().get(0));
  }

  /** {@code select_input}: copies the input that the number in {@code Mask} selects. */
  static void select(Step step, Machine machine) {
    ImmutableList<Argument> choices = step.inputs("X");
    copy(step, machine, choices.get(choice(step, choices.size())), step.output("Out"));
  }

  /**
   * {@code select_output}: copies the input to the output that the number in {@code Mask} selects.
   */
  static void distribute(Step step, Machine machine) {
    int choice = choice(step, step.outputs().size());
    copy(step, machine, step.input("X"), step.outputs().get(choice));
  }

  private static int choice(Step step, int count) {
    Tensor mask = step.read("Mask").tensor();
    long choice = mask.length() == 1 ? mask.getLong(0) : -1;
    if (choice < 0 || choice >= count) {
      throw new OperatorException(
          "input Mask is " + mask + ", which is not a number below " + count);
    }
    return (int) choice;
  }

  /** Copies a tensor, an array, or an optional of ONNX that contains nothing. */
  static void copy(Step step, Machine machine, Argument source, Argument target) {
    if (source.cell().isEmptyOptional()) {
      step.writeEmptyOptional(target);
      return;
    }
    if (source.cell().holdsArray()) {
      step.setElements(target, step.elements(source));
      return;
    }
    LodTensor tensor = step.read(source);
    if (source.cell() != target.cell()) { // other runtimes compare the addresses, too
      machine.countCopy(step, tensor);
    }
    step.write(target, tensor);
  }

  /** {@code print}: copies its input to its output, if it has one; it prints nothing. */
  static void print(Step step, Machine machine) {
    Argument output = step.outputOrNull("Out");
    if (output != null) {
      copy(step, machine, step.input("In"), output);
    }
  }

  /** {@code assert}: stops the program if its condition is false. */
  static void check(Step step, Machine machine) {
    if (!Conditions.isTrue(step, "Cond")) {
      throw new OperatorException("the program's own assertion does not hold");
    }
  }

  /** {@code delete_var}: removes the values of its inputs. */
  static void delete(Step step, Machine machine) {
    for (Argument input : step.inputs()) {
      step.clear(input);
      input.cell().array.clear();
    }
  }
}
