package dev.sublet.operator.spec;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * That an operator copies bytes from an input to an output without changing them or their order: if
 * the output lies so that these bytes are at the same place in both, nothing needs to be copied.
 *
 * @param input the input argument's position, in file order
 * @param output the output argument's position, in file order
 * @param relation which of the two is a part of the other
 * @param offset how far behind the input's first byte the output's first byte would be; negative
 *     where the input is a part of the output
 * @param bytes how many bytes the two have in common, or a bound for a whole view of data-dependent
 *     size; they begin where the later one of the two begins
 * @param wholeBytes how many bytes the larger one of the two has
 */
public record View(
    int input, int output, ViewRule.Relation relation, long offset, long bytes, long wholeBytes) {

  public View {
    checkArgument(0 < bytes && bytes <= wholeBytes, "%s bytes of %s", bytes, wholeBytes);
    checkArgument(!isWhole(relation) || offset == 0, "offset %s", offset);
  }

  /** Whether all of the input is all of the output. */
  public boolean isWhole() {
    return isWhole(relation);
  }

  private static boolean isWhole(ViewRule.Relation relation) {
    return relation == ViewRule.Relation.WHOLE;
  }

  /** Where the common bytes begin, counted from the input's first byte. */
  public long startInInput() {
    return Math.max(0, offset);
  }
}
