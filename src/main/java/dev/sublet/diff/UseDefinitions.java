package dev.sublet.diff;

import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.HashMap;
import java.util.Map;

/**
 * The definition of each input of a block's operators: the output of the last earlier operator of
 * the block that writes the variable, if there is one. Writes in inner blocks do not count.
 */
final class UseDefinitions {

  /**
   * The definition that means: the value comes from outside the block, from a later operator, or
   * from nowhere.
   */
  static final long OUTSIDE = -1;

  private final int[] firstInput;
  private final long[] definitions;

  private UseDefinitions(int[] firstInput, long[] definitions) {
    this.firstInput = firstInput;
    this.definitions = definitions;
  }

  /** Finds the definitions of a block. O(arguments). */
  static UseDefinitions of(Block block) {
    int count = block.operations().size();
    int[] firstInput = new int[count + 1];
    for (Operation operation : block.operations()) {
      firstInput[operation.index() + 1] = firstInput[operation.index()] + operation.inputCount();
    }
    long[] definitions = new long[firstInput[count]];
    Map<Integer, Long> last = new HashMap<>();
    for (Operation operation : block.operations()) {
      for (int i = 0; i < operation.inputCount(); i++) {
        definitions[firstInput[operation.index()] + i] =
            last.getOrDefault(operation.input(i), OUTSIDE);
      }
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          last.put(operation.output(i), (long) operation.index() << 32 | i);
        }
      }
    }
    return new UseDefinitions(firstInput, definitions);
  }

  /**
   * The definition of an input: {@link #OUTSIDE}, or a number for {@link #operator} and {@link
   * #output}.
   */
  long of(int operator, int input) {
    return definitions[firstInput[operator] + input];
  }

  /** The operator of a definition. */
  static int operator(long definition) {
    return (int) (definition >>> 32);
  }

  /** The position of the output of a definition among all outputs of its operator. */
  static int output(long definition) {
    return (int) definition;
  }
}
