package dev.sublet.runtime.micro.fuse.fact;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;

/** Simplifies index arithmetic in obvious cases, so that program texts stay short. */
final class IndexFolding {

  private static final Constant ZERO = new Constant(0);
  private static final Constant ONE = new Constant(1);

  private IndexFolding() {}

  /** Folds an operation on numbers, and removes additions of 0 and multiplications by 1. O(1). */
  static IndexExpression fold(Arithmetic arithmetic) {
    IndexExpression left = arithmetic.left();
    IndexExpression right = arithmetic.right();
    if (left instanceof Constant a && right instanceof Constant b) {
      return fold(arithmetic, a.value(), b.value());
    }
    return switch (arithmetic.operator()) {
      case ADD -> right.equals(ZERO) ? left : left.equals(ZERO) ? right : arithmetic;
      case SUBTRACT -> right.equals(ZERO) ? left : arithmetic;
      case MULTIPLY -> right.equals(ONE) ? left : left.equals(ONE) ? right : arithmetic;
      case DIVIDE -> right.equals(ONE) ? left : arithmetic;
    };
  }

  /** Folds an operation on two numbers. A division by 0 stays, because it is a run-time error. */
  private static IndexExpression fold(Arithmetic arithmetic, long left, long right) {
    return switch (arithmetic.operator()) {
      case ADD -> new Constant(left + right);
      case SUBTRACT -> new Constant(left - right);
      case MULTIPLY -> new Constant(left * right);
      case DIVIDE -> right == 0 ? arithmetic : new Constant(Math.floorDiv(left, right));
    };
  }
}
