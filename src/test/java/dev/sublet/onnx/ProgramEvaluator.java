package dev.sublet.onnx;

import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Evaluates the program that a model was translated to, with the numbers of {@link ModelEvaluator}.
 * A variable that is read before it is written is an error, but for one that collects.
 */
final class ProgramEvaluator {

  private final Program program;
  private final long seed;
  private final Map<Integer, Long> values = new HashMap<>();
  private final List<Long> fetched = new ArrayList<>();

  private ProgramEvaluator(Program program, long seed) {
    this.program = program;
    this.seed = seed;
  }

  /**
   * The fetched numbers.
   *
   * @param constants what the variables of initializers and constants are
   */
  static List<Long> run(Program program, Map<Integer, Long> constants, long seed) {
    ProgramEvaluator evaluator = new ProgramEvaluator(program, seed);
    evaluator.values.putAll(constants);
    evaluator.block(program.block(0));
    return evaluator.fetched;
  }

  private void block(Block block) {
    for (Variable variable : block.variables()) {
      if (!variable.isPersistable()) {
        values.remove(variable.index());
      }
    }
    block.operations().forEach(this::operation);
  }

  private long in(Operation operation, String slot) {
    int position = operation.firstInput(slot);
    int variable = position < 0 ? Program.NO_VARIABLE : operation.input(position);
    return variable == Program.NO_VARIABLE ? ModelEvaluator.ABSENT : read(variable, operation);
  }

  private long read(int variable, Operation operation) {
    Long value = values.get(variable);
    if (value == null) {
      throw new AssertionError(
          operation.location() + " reads " + program.variable(variable) + " before it is written");
    }
    return value;
  }

  private boolean has(Operation operation, String slot) {
    int position = operation.firstInput(slot);
    return position >= 0 && operation.input(position) != Program.NO_VARIABLE;
  }

  private int target(Operation operation, String slot) {
    return operation.output(operation.firstOutput(slot));
  }

  private void operation(Operation operation) {
    switch (operation.type()) {
      case "feed" -> {
        int variable = operation.output(0);
        values.put(variable, ModelEvaluator.input(program.variable(variable).name(), seed));
      }
      case "fetch" -> fetched.add(in(operation, "X"));
      case "assign" -> values.put(target(operation, "Out"), in(operation, "X"));
      case "logical_not" -> values.put(target(operation, "Out"), in(operation, "X") ^ 1);
      case "cast" -> values.put(target(operation, "Out"), in(operation, "X") & 1);
      case "select_input" -> {
        Slot choices = operation.inputSlot("X").orElseThrow();
        int chosen = choices.variable((int) in(operation, "Mask"));
        values.put(target(operation, "Out"), read(chosen, operation));
      }
      case "conditional_block" -> {
        if ((in(operation, "Cond") & 1) == 1) {
          block(program.block(operation.blocks().get(0)));
        }
      }
      case "while" -> loop(operation);
      case "onnx.Loop.begin" -> control(operation, 0);
      case "onnx.Loop.next" -> control(operation, in(operation, "Last") + 1);
      case "onnx.Loop.collect" -> {
        int whole = target(operation, "Out");
        long iteration = in(operation, "I");
        long before = iteration == 0 ? 0 : read(whole, operation);
        values.put(whole, ModelEvaluator.collected(before, in(operation, "X"), iteration));
      }
      default -> plain(operation);
    }
  }

  private void loop(Operation operation) {
    // What is not collected even once is empty.
    Slot outputs = operation.outputSlot("Out").orElseThrow();
    for (int i = 0; i < outputs.size(); i++) {
      values.putIfAbsent(outputs.variable(i), 0L);
    }
    while ((in(operation, "Condition") & 1) == 1) {
      block(program.block(operation.blocks().get(0)));
    }
  }

  private void control(Operation operation, long iteration) {
    boolean bounded = !has(operation, "M") || iteration < in(operation, "M");
    boolean wanted = !has(operation, "Cond") || (in(operation, "Cond") & 1) == 1;
    values.put(target(operation, "I"), iteration);
    values.put(target(operation, "Condition"), bounded && wanted ? 1L : 0L);
  }

  private void plain(Operation operation) {
    List<Long> inputs = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      inputs.add(
          operation.input(i) == Program.NO_VARIABLE
              ? Long.valueOf(ModelEvaluator.ABSENT)
              : Long.valueOf(read(operation.input(i), operation)));
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      values.put(operation.output(i), ModelEvaluator.operator(operation.type(), inputs, i));
    }
  }

  /** What the variables of a model's constants are, by their elements. */
  static Map<Integer, Long> constants(Program program) {
    Map<Integer, Long> constants = new HashMap<>();
    for (Variable variable : program.variables()) {
      variable
          .elements()
          .ifPresent(
              elements -> {
                long hash = 7;
                for (double element : elements.asList()) {
                  hash = ModelEvaluator.mix(hash, Float.floatToIntBits((float) element));
                }
                boolean isCount = variable.isScalar();
                constants.put(variable.index(), isCount ? (long) elements.get(0) : hash);
              });
    }
    return constants;
  }
}
