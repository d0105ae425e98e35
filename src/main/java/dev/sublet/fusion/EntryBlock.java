package dev.sublet.fusion;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operators of a program's first block, with the producers and readers of their values.
 * Paddle's passes see the same: one graph node per operator and one per write of a name, without
 * the blocks inside. An operator is its index in the block.
 */
final class EntryBlock {

  /** No operator: the value comes from outside, such as a weight or a feed. */
  static final int NONE = -1;

  private final Program program;
  private final List<Operation> operations;

  /** The operator that wrote each input argument, by reader and argument. */
  private final int[][] producers;

  private final List<List<Integer>> readers = new ArrayList<>();

  /** By operator: itself, or if it is removable, the operator whose result its readers get. */
  private final int[] origins;

  private EntryBlock(Program program) {
    this.program = program;
    this.operations = program.block(0).operations();
    this.producers = new int[operations.size()][];
    this.origins = new int[operations.size()];
  }

  /** Finds producers and readers. O(arguments). */
  static EntryBlock of(Program program) {
    EntryBlock block = new EntryBlock(program);
    int[] writers = new int[program.variableCount()];
    Arrays.fill(writers, NONE);
    for (int op = 0; op < block.size(); op++) {
      block.readers.add(new ArrayList<>());
      block.addOperator(op, writers);
    }
    return block;
  }

  private void addOperator(int op, int[] writers) {
    Operation operation = operations.get(op);
    producers[op] = new int[operation.inputCount()];
    for (int i = 0; i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      int producer = variable == Program.NO_VARIABLE ? NONE : writers[variable];
      producers[op][i] = producer;
      if (producer != NONE) {
        List<Integer> others = readers.get(producer);
        if (others.isEmpty() || others.get(others.size() - 1) != op) {
          others.add(op);
        }
      }
    }
    origins[op] = isRemovable(op) ? origin(producer(op, "X")) : op;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        writers[operation.output(i)] = op;
      }
    }
  }

  int size() {
    return operations.size();
  }

  Operation operation(int op) {
    return operations.get(op);
  }

  String type(int op) {
    return op == NONE ? "" : operations.get(op).type();
  }

  /** The operators that read a result of an operator, ascending. */
  List<Integer> readers(int op) {
    return readers.get(op);
  }

  /** Whether an operator of the block reads an output. O(arguments of the readers). */
  boolean isRead(int op, int output) {
    int variable = operations.get(op).output(output);
    for (int reader : readers.get(op)) {
      for (int i = 0; i < producers[reader].length; i++) {
        if (producers[reader][i] == op && operations.get(reader).input(i) == variable) {
          return true;
        }
      }
    }
    return false;
  }

  /** The operator that wrote an input argument, or {@link #NONE}. */
  int producer(int op, int argument) {
    return producers[op][argument];
  }

  /** Whether a pass may remove the operator, so that its readers read its {@code X}. */
  boolean isRemovable(int op) {
    return type(op).equals("dropout");
  }

  /**
   * The operator whose result the readers of an operator get when all removable operators are gone.
   * With {@code m = matmul(x, y); d = dropout(m); e = dropout(d)}, the origin of e, d and m is m.
   */
  int origin(int op) {
    return op == NONE ? NONE : origins[op];
  }

  /** The operator that wrote a slot's first argument, or {@link #NONE}. */
  int producer(int op, String slot) {
    int argument = op == NONE ? -1 : operations.get(op).firstInput(slot);
    return argument < 0 ? NONE : producers[op][argument];
  }

  /** The first variable of an input slot, or {@link Program#NO_VARIABLE}. */
  int input(int op, String slot) {
    int argument = operations.get(op).firstInput(slot);
    return argument < 0 ? Program.NO_VARIABLE : operations.get(op).input(argument);
  }

  /** Whether the first argument of an input slot is a weight. */
  boolean isWeight(int op, String slot) {
    int variable = input(op, slot);
    return variable != Program.NO_VARIABLE && program.variable(variable).isPersistable();
  }

  /** Whether the block declares a variable of that name. */
  boolean declares(String name) {
    return program.declared(0, name) != Program.NO_VARIABLE;
  }
}
