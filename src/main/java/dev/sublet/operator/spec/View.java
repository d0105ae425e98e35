package dev.sublet.operator.spec;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A view between an input and an output: bytes that an operator copies unchanged and in order. If
 * the output is placed so that these bytes have the same address in both, the copy is unnecessary.
 *
 * @param input the input argument's position, in file order
 * @param output the output argument's position, in file order
 * @param relation which of the two tensors is a part of the other
 * @param offset the distance in bytes from the input's first byte to the output's first byte;
 *     negative if the input is a part of the output
 * @param bytes the number of common bytes, or a bound on it for a whole view of data-dependent
 *     size; the common bytes begin where the tensor that begins later begins
 * @param wholeBytes the number of bytes of the larger tensor
 */
public record View(
    int input, int output, ViewRule.Relation relation, long offset, long bytes, long wholeBytes) {

  /**
   * Throws {@link IllegalArgumentException} if the part is empty or larger than the whole, or if a
   * view of the whole has an offset.
   */
  public View {
    checkArgument(0 < bytes && bytes <= wholeBytes, "%s bytes of %s", bytes, wholeBytes);
    checkArgument(!isWhole(relation) || offset == 0, "offset %s", offset);
  }

  /** Whether the whole input is the whole output. */
  public boolean isWhole() {
    return isWhole(relation);
  }

  private static boolean isWhole(ViewRule.Relation relation) {
    return relation == ViewRule.Relation.WHOLE;
  }

  /** The offset of the common bytes from the input's first byte. */
  public long startInInput() {
    return Math.max(0, offset);
  }
}
