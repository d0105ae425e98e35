package dev.sublet.shape;

import dev.sublet.program.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A map from the variables and operators of a program to their originals in another program, of
 * which they are copies. For example, an unrolled loop has several copies of each operator of the
 * loop's body.
 */
public interface CopiedFrom {

  /** The original of a variable in the other program, or -1 if the variable is not a copy. */
  int variable(int variable);

  /** The original of an operator, with equally many arguments, or null if it is not a copy. */
  @Nullable Operation operation(Operation operation);

  /**
   * The bytes to assume for an output of a copy: at least the bytes that the original operator
   * writes, at most the bytes of the variable; -1 if unknown.
   *
   * @param copy an operator that is a copy of an operator of the other program
   * @param output the position of one of its outputs
   */
  long bytesWritten(Operation copy, int output);
}
