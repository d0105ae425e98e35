package dev.sublet.micro.fuse;

import dev.sublet.micro.ir.BinaryOperator;
import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.UnaryOperator;

/**
 * What it takes to compute an expression once more instead of keeping its value.
 *
 * <p>Loads, casts and numbers are free, plain arithmetic, comparisons and choices cost 1, divisions
 * 4, everything else 16.
 */
final class Effort {

  /** More than this is not spent, for each element, to be rid of a tensor. */
  static final int LIMIT = 4;

  /** Expressions do not grow beyond this many parts: they are walked recursively. */
  static final int MAX_PARTS = 400;

  private Effort() {}

  /** The cost of an expression; at least 0. O(size). */
  static int of(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return of(unary.operator()) + of(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return of(binary.operator()) + of(binary.left()) + of(binary.right());
    }
    if (expression instanceof Expression.Choice choice) {
      return 1 + of(choice.condition()) + of(choice.ifTrue()) + of(choice.ifFalse());
    }
    return expression instanceof Expression.Cast cast ? of(cast.operand()) : 0;
  }

  private static int of(UnaryOperator operator) {
    return switch (operator) {
      case NEGATE, ABSOLUTE, SIGN, NOT -> 1;
      case RECIPROCAL -> 4;
      default -> 16;
    };
  }

  private static int of(BinaryOperator operator) {
    return switch (operator) {
      case DIVIDE -> 4;
      case POWER, MODULO, FLOOR_DIVIDE -> 16;
      default -> 1;
    };
  }

  /** The number of parts of an expression. O(size). */
  static int parts(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return 1 + parts(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return 1 + parts(binary.left()) + parts(binary.right());
    }
    if (expression instanceof Expression.Choice choice) {
      return 1 + parts(choice.condition()) + parts(choice.ifTrue()) + parts(choice.ifFalse());
    }
    return expression instanceof Expression.Cast cast ? 1 + parts(cast.operand()) : 1;
  }
}
