package dev.sublet.verify.order;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers for the values of a program's variables while its operators are followed in order.
 *
 * <pre>
 *   0 a = relu(x)       a has value (0, 0): output 0 of operator 0
 *   1 b = assign(a)     b has the value of a
 * </pre>
 *
 * <p>The numbers of two programs are comparable if their operators are numbered alike. In a block,
 * an argument of the operator that runs it has the value that it has before that operator: in a
 * loop, the value of the first iteration. O(arguments) per call, for an operator with blocks those
 * of its blocks.
 */
final class ValueNumbers {

  /** More than the arguments of an operator. */
  private static final long MOST_OUTPUTS = 1L << 32;

  private final Program program;

  /** By name of a variable that has its value from the start: a number below zero. */
  private final Map<String, Long> initial;

  /** By variable that has another value than from the start: the value. */
  private final Map<Integer, Long> values = new HashMap<>();

  private ValueNumbers(Program program, Map<String, Long> initial) {
    this.program = program;
    this.initial = initial;
  }

  /** The values before the first operator. */
  static ValueNumbers of(Program program) {
    return new ValueNumbers(program, new HashMap<>());
  }

  /** The values before the first operator of another program, comparable with these. */
  ValueNumbers ofOther(Program other) {
    return new ValueNumbers(other, initial);
  }

  /** The values before the first operator of a block that an operator runs. */
  ValueNumbers inside(Operation operation) {
    ValueNumbers inside = new ValueNumbers(program, initial);
    for (int i = 0; i < operation.inputCount() + operation.outputCount(); i++) {
      int inputs = operation.inputCount();
      int variable = i < inputs ? operation.input(i) : operation.output(i - inputs);
      if (variable != Program.NO_VARIABLE) {
        inside.values.put(variable, value(variable));
      }
    }
    return inside;
  }

  private long value(int variable) {
    Long value = values.get(variable);
    return value == null
        ? initial.computeIfAbsent(program.variable(variable).name(), name -> -1L - initial.size())
        : value;
  }

  /** Returns the values that an operator reads. */
  ImmutableList<Long> inputs(Operation operation) {
    ImmutableList.Builder<Long> inputs = ImmutableList.builder();
    for (int i = 0; i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      inputs.add(variable == Program.NO_VARIABLE ? Long.MIN_VALUE : value(variable));
    }
    return inputs.build();
  }

  /** Follows an operator that copies its input. */
  void copy(Operation operation) {
    values.put(operation.output(0), value(operation.input(0)));
  }

  /**
   * Follows an operator. All that an operator with blocks may write has one value, because copies
   * inside may be missing in one of the programs.
   */
  void write(Operation operation, long number) {
    boolean isOne = !operation.blocks().isEmpty();
    ArrayDeque<Integer> open = new ArrayDeque<>(operation.blocks());
    writeOutputs(operation, number, isOne);
    while (!open.isEmpty()) {
      for (Operation inner : program.block(open.pop()).operations()) {
        writeOutputs(inner, number, isOne);
        open.addAll(inner.blocks());
      }
    }
  }

  private void writeOutputs(Operation operation, long number, boolean isOne) {
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        values.put(operation.output(i), number * MOST_OUTPUTS + (isOne ? 0 : i));
      }
    }
  }
}
