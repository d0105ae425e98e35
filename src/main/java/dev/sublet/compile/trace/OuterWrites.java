package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/**
 * The variables from outside a block that the operators of the block, or of blocks in it, write.
 */
final class OuterWrites {

  private OuterWrites() {}

  /** Returns the indices of the variables, ascending. O(operators × nesting depth). */
  static ImmutableSortedSet<Integer> of(Program program, int block) {
    ImmutableSortedSet.Builder<Integer> written = ImmutableSortedSet.naturalOrder();
    add(program, block, block, written);
    return written.build();
  }

  private static void add(
      Program program, int block, int outermost, ImmutableSortedSet.Builder<Integer> written) {
    for (Operation operation : program.block(block).operations()) {
      for (int i = 0; i < operation.outputCount(); i++) {
        int variable = operation.output(i);
        if (variable != Program.NO_VARIABLE && !isInside(program, variable, outermost)) {
          written.add(variable);
        }
      }
      for (int inner : operation.blocks()) {
        add(program, inner, outermost, written);
      }
    }
  }

  /** Whether a variable is declared in a block, or in a block in it. O(nesting depth). */
  static boolean isInside(Program program, int variable, int block) {
    int each = program.variable(variable).block();
    while (each >= 0 && each != block) {
      each = program.block(each).parent();
    }
    return each == block;
  }
}
