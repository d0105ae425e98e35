package dev.sublet.verify.rewrite;

import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.Violations;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Checks the deletions of variables in a rewritten program.
 *
 * <p>{@code delete_var} removes a variable from the scope of its own block, so an operator that
 * writes the variable later finds none. A new deletion must therefore be in block 0, of a variable
 * of block 0, after all operators that name the variable. Unsafe deletions of the original may
 * remain. O(arguments).
 *
 * <pre>
 *   y = relu(x); delete_var(x); z = tanh(y)       safe
 *   y = relu(x); delete_var(x); z = tanh(x)       a violation
 * </pre>
 */
final class DeletionCheck {

  private final Program program;

  /** By variable: the last operator of block 0 that uses it directly or in its blocks, or -1. */
  private final int[] lastUses;

  private final BitSet unsafe = new BitSet();

  private DeletionCheck(Program program) {
    this.program = program;
    this.lastUses = new int[program.variableCount()];
    Arrays.fill(lastUses, -1);
    findUses();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (OperatorAlignment.isDeletion(operation)) {
          addUnsafe(operation);
        }
      }
    }
  }

  /** Adds a violation for every variable that only the rewritten program deletes too early. */
  static void run(
      Program original, Program rewritten, NameAssignment assignment, Violations violations) {
    BitSet before = new DeletionCheck(original).unsafe;
    DeletionCheck after = new DeletionCheck(rewritten);
    for (Variable variable : rewritten.variables()) {
      int v = variable.index();
      int owner = assignment.owner(v);
      boolean known = owner != Program.NO_VARIABLE && before.get(owner);
      if (after.unsafe.get(v) && !known) {
        violations.add(variable, "is deleted, but may be used again");
      }
    }
  }

  private void findUses() {
    int[] positions = new int[program.blocks().size()];
    Arrays.fill(positions, -1);
    ArrayDeque<Integer> open = new ArrayDeque<>();
    open.push(0);
    while (!open.isEmpty()) {
      int block = open.pop();
      for (Operation operation : program.block(block).operations()) {
        int position = block == 0 ? operation.index() : positions[block];
        if (!OperatorAlignment.isDeletion(operation)) {
          addUses(operation, position);
        }
        for (int inner : operation.blocks()) {
          if (positions[inner] < position) {
            positions[inner] = position;
            open.push(inner);
          }
        }
      }
    }
  }

  private void addUses(Operation operation, int position) {
    for (int i = 0; i < operation.inputCount(); i++) {
      addUse(operation.input(i), position);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      addUse(operation.output(i), position);
    }
  }

  private void addUse(int variable, int position) {
    if (variable != Program.NO_VARIABLE) {
      lastUses[variable] = Math.max(lastUses[variable], position);
    }
  }

  private void addUnsafe(Operation deletion) {
    for (int i = 0; i < deletion.inputCount(); i++) {
      int variable = deletion.input(i);
      if (variable != Program.NO_VARIABLE
          && (deletion.block() != 0
              || program.variable(variable).block() != 0
              || lastUses[variable] > deletion.index())) {
        unsafe.set(variable);
      }
    }
  }
}
