package dev.sublet.runtime.micro.op;

import static dev.sublet.runtime.micro.ir.IndexExpressions.mentionsLoop;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import java.util.Optional;

/**
 * The solution of an equation between an index and a target for the loop index: {@code 3 - i0 = j}
 * gives {@code i0 = 3 - j}.
 *
 * @param loop the only loop that the index refers to
 * @param value the value of the loop's index
 */
record IndexInverse(int loop, IndexExpression value) {

  /**
   * Solves {@code index = target}. The index must be one loop index, possibly negated, plus or
   * minus loop-free terms; otherwise the result is empty. O(size).
   */
  static Optional<IndexInverse> of(IndexExpression index, IndexExpression target) {
    if (index instanceof LoopIndex loop) {
      return Optional.of(new IndexInverse(loop.id(), target));
    }
    if (index instanceof Negation negation) {
      return of(negation.operand(), new Negation(target));
    }
    if (!(index instanceof Arithmetic arithmetic)) {
      return Optional.empty();
    }
    IndexExpression left = arithmetic.left();
    IndexExpression right = arithmetic.right();
    if (arithmetic.operator() == Operator.ADD) {
      if (!mentionsLoop(right)) {
        return of(left, subtract(target, right));
      }
      return mentionsLoop(left) ? Optional.empty() : of(right, subtract(target, left));
    }
    if (arithmetic.operator() == Operator.SUBTRACT) {
      if (!mentionsLoop(right)) {
        return of(left, new Arithmetic(Operator.ADD, target, right));
      }
      return mentionsLoop(left) ? Optional.empty() : of(right, subtract(left, target));
    }
    return Optional.empty();
  }

  private static IndexExpression subtract(IndexExpression left, IndexExpression right) {
    return right.equals(new Constant(0)) ? left : new Arithmetic(Operator.SUBTRACT, left, right);
  }
}
