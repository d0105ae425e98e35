package dev.sublet.shape;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.control.ArrayShapes;
import dev.sublet.program.Block;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole numbers of a block, each as the value of some variable when the block begins, plus a
 * constant. The caller adds the operators of the block in order.
 *
 * <pre>
 *   j = increment(i); i = assign(j)      j is the i of the beginning plus 1, and so is i
 * </pre>
 *
 * <p>Followed are integers of 32 and 64 bits through {@code increment}, {@code assign}, {@code
 * scale} by 1, and numbers that are constants for shape inference. Any other operator gives its
 * outputs unknown values.
 */
final class CountedValues {

  /**
   * A number.
   *
   * @param base the variable whose value at the beginning of the block is the other summand; {@link
   *     #CONSTANT} for none; below that, a number of its own for each unknown value
   * @param offset the constant
   */
  record Counted(int base, long offset) {

    /** Whether the number is a constant. */
    boolean isConstant() {
      return base == CONSTANT;
    }

    private Counted plus(double number) {
      return new Counted(base, offset + (long) number);
    }
  }

  private static final int CONSTANT = -1;

  private final Program program;
  private final Definitions definitions;
  private final Map<Integer, Counted> values = new HashMap<>();
  private int unknowns = CONSTANT;

  CountedValues(Program program, Definitions definitions) {
    this.program = program;
    this.definitions = definitions;
  }

  /** The same values, to which other operators may be added. O(values). */
  CountedValues copy() {
    CountedValues copy = new CountedValues(program, definitions);
    copy.values.putAll(values);
    copy.unknowns = unknowns;
    return copy;
  }

  /** The current value of a variable. */
  Counted get(int variable) {
    return values.getOrDefault(variable, new Counted(variable, 0));
  }

  /**
   * Adds an operator. What the operators of its blocks write has unknown values. O(outputs, those
   * of its blocks included).
   */
  void add(Operation operation) {
    if (!operation.blocks().isEmpty()) {
      forgetOutputs(operation);
      operation.blocks().forEach(inner -> forgetInside(program.block(inner)));
      return;
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output != Program.NO_VARIABLE) {
        Counted value = operation.outputCount() == 1 ? value(operation) : null;
        values.put(output, value == null ? new Counted(--unknowns, 0) : value);
      }
    }
  }

  private void forgetInside(Block block) {
    for (Operation operation : block.operations()) {
      forgetOutputs(operation);
      for (int inner : operation.blocks()) {
        if (inner > block.index()) {
          forgetInside(program.block(inner));
        }
      }
    }
  }

  private void forgetOutputs(Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        values.put(operation.output(i), new Counted(--unknowns, 0));
      }
    }
  }

  /** The value of the only output of an operator; null if it is not followed. */
  private @Nullable Counted value(Operation operation) {
    if (!isInteger(operation.output(0))) {
      return null;
    }
    AbstractShape shape = definitions.get(definitions.number(operation, 0));
    SymbolicExtent number = shape == null ? null : ArrayShapes.number(shape);
    if (number != null && number.isConstant() && number.value() == Math.rint(number.value())) {
      return new Counted(CONSTANT, (long) number.value());
    }
    if (operation.inputCount() != 1
        || operation.input(0) == Program.NO_VARIABLE
        || !isInteger(operation.input(0))) {
      return null;
    }
    Counted input = get(operation.input(0));
    return switch (operation.type()) {
      case "assign" -> input;
      case "increment" -> plus(input, real(operation, "step", 1));
      case "scale" ->
          real(operation, "scale", 1) == 1 ? plus(input, real(operation, "bias", 0)) : null;
      default -> null;
    };
  }

  /** Whether a number that wraps is no index of an array: a narrow unsigned number would be one. */
  private boolean isInteger(int variable) {
    DataType type =
        program.variable(variable).tensorType().map(TensorType::dataType).orElse(DataType.UNKNOWN);
    return type == DataType.INT32 || type == DataType.INT64;
  }

  private static @Nullable Counted plus(Counted input, double number) {
    boolean isSmall = number == Math.rint(number) && Math.abs(number) < Integer.MAX_VALUE;
    return isSmall ? input.plus(number) : null;
  }

  private static double real(Operation operation, String name, double defaultValue) {
    return operation.attribute(name).map(a -> a.asDouble(defaultValue)).orElse(defaultValue);
  }
}
