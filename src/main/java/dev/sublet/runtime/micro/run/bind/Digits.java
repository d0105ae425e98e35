package dev.sublet.runtime.micro.run.bind;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes neighbouring axes that reshaping indexes with the digits of one place: {@code x[p / 4,
 * p - p / 4 * 4]} where the last extent is 4. Such axes are one axis with the index p, in bounds
 * for the same p, since the last digits always are and quotients round down.
 */
final class Digits {

  private Digits() {}

  /**
   * The place whose digits two neighbouring axes have, or null if they are none. Only expressions
   * of the form above count.
   *
   * @param outer the index of the outer axis, perhaps itself a place of which more axes have digits
   * @param extent of the inner axis
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
