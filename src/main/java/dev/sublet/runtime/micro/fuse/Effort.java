package dev.sublet.runtime.micro.fuse;

import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;

/**
 * The cost of computing an expression again instead of storing its value.
 *
 * <p>Loads, casts and numbers cost 0; plain arithmetic, comparisons and choices cost 1, divisions
 * 4, and every other operation 16.
 */
final class Effort {

  /** The greatest additional cost per element for the removal of a tensor. */
  static final int LIMIT = 8;

  /**
   * The most parts of an expression that is copied. Expressions are walked recursively, so they
   * must stay small.
   */
  static final int MAX_PARTS = 100;

  private Effort() {}

  /** Returns the cost of an expression; at least 0. O(size). */
  static int of(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return of(unary.operator()) + of(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return of(binary.operator()) + of(binary.left()) + of(binary.right());
    }
    if (expression instanceof Expression.Conditional conditional) {
      return 1 + of(conditional.condition()) + of(conditional.ifTrue()) + of(conditional.ifFalse());
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

  /** Returns the number of parts of an expression, including those of indices. O(size). */
  static int parts(Expression expression) {
    int[] parts = new int[1];
    new Rewriter() {
      @Override
      public IndexExpression leaf(IndexExpression leaf) {
        parts[0]++;
        return leaf;
      }
    }.expression(expression);
    return parts[0] + operators(expression);
  }

  private static int operators(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return 1 + operators(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return 1 + operators(binary.left()) + operators(binary.right());
    }
    if (expression instanceof Expression.Conditional conditional) {
      return 1
          + operators(conditional.condition())
          + operators(conditional.ifTrue())
          + operators(conditional.ifFalse());
    }
    return expression instanceof Expression.Cast cast ? 1 + operators(cast.operand()) : 1;
  }
}
