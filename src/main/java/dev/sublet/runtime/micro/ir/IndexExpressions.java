package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import java.util.function.Function;

/** Queries and substitutions on index expressions. Each is O(size of the result). */
public final class IndexExpressions {

  private IndexExpressions() {}

  /** Whether an expression depends on a loop index. */
  public static boolean mentionsLoop(IndexExpression expression) {
    if (expression instanceof LoopIndex) {
      return true;
    }
    if (expression instanceof Negation negation) {
      return mentionsLoop(negation.operand());
    }
    if (expression instanceof Arithmetic arithmetic) {
      return mentionsLoop(arithmetic.left()) || mentionsLoop(arithmetic.right());
    }
    return expression instanceof Element element
        && element.at().stream().anyMatch(IndexExpressions::mentionsLoop);
  }

  /**
   * Replaces the leaves of an expression: numbers, loop indices, extents and parameters. An element
   * keeps its tensor; the leaves of the element's indices are replaced too.
   */
  static IndexExpression mapLeaves(
      IndexExpression expression, Function<IndexExpression, IndexExpression> leaf) {
    if (expression instanceof Negation negation) {
      return new Negation(mapLeaves(negation.operand(), leaf));
    }
    if (expression instanceof Arithmetic arithmetic) {
      return new Arithmetic(
          arithmetic.operator(),
          mapLeaves(arithmetic.left(), leaf),
          mapLeaves(arithmetic.right(), leaf));
    }
    if (expression instanceof Element element) {
      return new Element(element.tensor(), mapLeaves(element.at(), leaf));
    }
    return leaf.apply(expression);
  }

  /** Replaces the leaves of each expression of a list. */
  static ImmutableList<IndexExpression> mapLeaves(
      ImmutableList<IndexExpression> expressions, Function<IndexExpression, IndexExpression> leaf) {
    ImmutableList.Builder<IndexExpression> mapped = ImmutableList.builder();
    for (IndexExpression expression : expressions) {
      mapped.add(mapLeaves(expression, leaf));
    }
    return mapped.build();
  }
}
