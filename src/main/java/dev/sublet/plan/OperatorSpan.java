package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The program points at which an operator runs. A control operator runs from its head to its exit,
 * with the operators of its block in between.
 *
 * @param block the block of the operator
 * @param index the operator's index in the block
 * @param type the operator's type
 * @param begin the first point
 * @param end the first point after it
 */
public record OperatorSpan(int block, int index, String type, int begin, int end) {

  /** Throws {@link IllegalArgumentException} if the span is empty. */
  public OperatorSpan {
    requireNonNull(type, "type");
    checkArgument(begin < end, "[%s, %s) is empty", begin, end);
  }
}
