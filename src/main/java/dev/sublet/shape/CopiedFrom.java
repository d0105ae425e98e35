package dev.sublet.shape;

import dev.sublet.program.Operation;
import org.jspecify.annotations.Nullable;

/** What the variables and operators of a program are copies of in another one. */
public interface CopiedFrom {

  /** The variable of the other program that one is a copy of, or -1. */
  int variable(int variable);

  /** The operator of the other program that one is a copy of, with as many arguments, or null. */
  @Nullable Operation operation(Operation operation);

  /**
   * What to take for the bytes that a copy writes: no fewer than the operator that it is a copy of
   * does, at most those of the variable; -1 if unknown.
   *
   * @param copy an operator that is a copy of one of the other program
   * @param output the position of one of its outputs
   */
  long bytesWritten(Operation copy, int output);
}
