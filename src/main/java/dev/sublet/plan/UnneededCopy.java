package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * A copy that a runtime may skip, because the source and the target have the same location whenever
 * the operator runs.
 *
 * @param block the block of the operator
 * @param operator the operator's index in the block
 * @param from the source of the copy
 * @param to the target of the copy
 * @param bytes the number of bytes that one run of the operator would copy
 */
public record UnneededCopy(int block, int operator, VariableId from, VariableId to, long bytes) {

  public UnneededCopy {
    requireNonNull(from, "from");
    requireNonNull(to, "to");
  }
}
