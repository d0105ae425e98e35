package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * When an operator runs, in the program points of a plan: a control operator from its head to its
 * exit, with the operators of its block in between.
 *
 * @param block the block that it is in
 * @param index its index in the block
 * @param type its type
 * @param begin the first point
 * @param end the first point after it
 */
public record OperatorSpan(int block, int index, String type, int begin, int end) {

  public OperatorSpan {
    requireNonNull(type, "type");
    checkArgument(begin < end, "[%s, %s) is empty", begin, end);
  }
}
