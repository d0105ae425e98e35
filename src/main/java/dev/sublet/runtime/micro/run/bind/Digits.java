package dev.sublet.runtime.micro.run.bind;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes adjacent axes that a reshape indexes with the digits of one number p: {@code x[p / 4,
 * p - p / 4 * 4]} where the last extent is 4. Such axes form one axis with the index p. The united
 * index is in bounds for the same p, because the last digit always is and quotients round down.
 */
final class Digits {

  private Digits() {}

  /**
   * Returns the number whose digits index two adjacent axes, or null if there is none. Only the
   * form above is recognized.
   *
   * @param outer the index of the outer axis; it may itself be a number with digits for further
   *     axes
   * @param inner the index of the inner axis
   * @param extent the extent of the inner axis
   */
  static @Nullable IndexExpression place(
      IndexExpression outer, IndexExpression inner, long extent) {
    if (extent > 0
        && inner instanceof Arithmetic rest
        && rest.operator() == Operator.SUBTRACT
        && rest.right() instanceof Arithmetic multiple
        && multiple.operator() == Operator.MULTIPLY
        && isNumber(multiple.right(), extent)
        && multiple.left() instanceof Arithmetic quotient
        && quotient.operator() == Operator.DIVIDE
        && isNumber(quotient.right(), extent)
        && quotient.left().equals(rest.left())
        && outer.equals(quotient)) {
      return rest.left();
    }
    return null;
  }

  private static boolean isNumber(IndexExpression expression, long value) {
    return expression instanceof Constant constant && constant.value() == value;
  }
}
