package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * An operator that a runtime may skip: it copies a tensor to where the tensor already is, since the
 * two variables have the same bytes whenever the operator runs.
 *
 * @param block the block of the operator
 * @param operator its index there
 * @param from what it copies
 * @param to what it copies that to
 * @param bytes how many bytes a run of it would copy
 */
public record UnneededCopy(int block, int operator, VariableId from, VariableId to, long bytes) {

  public UnneededCopy {
    requireNonNull(from, "from");
    requireNonNull(to, "to");
  }
}
