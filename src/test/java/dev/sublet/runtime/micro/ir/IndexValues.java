package dev.sublet.runtime.micro.ir;

/** The values of index expressions over loops, numbers and {@code $k}, which is 3. */
public final class IndexValues {

  public static final long K = 3;

  private IndexValues() {}

  /**
   * The value where loop i has index loops[i].
   *
   * @throws ArithmeticException if it divides by zero
   */
  public static long of(IndexExpression expression, long[] loops) {
    if (expression instanceof IndexExpression.Constant constant) {
      return constant.value();
    }
    if (expression instanceof IndexExpression.LoopIndex loop) {
      return loops[loop.id()];
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return -of(negation.operand(), loops);
    }
    if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      long left = of(arithmetic.left(), loops);
      long right = of(arithmetic.right(), loops);
      return switch (arithmetic.operator()) {
        case ADD -> left + right;
        case SUBTRACT -> left - right;
        case MULTIPLY -> left * right;
        case DIVIDE -> Math.floorDiv(left, right);
      };
    }
    if (expression instanceof IndexExpression.Parameter) {
      return K;
    }
    throw new AssertionError(expression);
  }
}
