package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What statements and expressions read. All are O(size). */
final class Reads {

  /**
   * A read of a tensor's element.
   *
   * @param at one index an axis
   * @param checked whether the indices may be out of bounds
   * @param outside what is read there
   * @param isIndex whether the element is (part of) an index, {@link Element}, and no load
   */
  record Read(
      String tensor,
      ImmutableList<IndexExpression> at,
      boolean checked,
      double outside,
      boolean isIndex) {

    static Read of(Expression.Load load) {
      return new Read(
          load.access().tensor(),
          load.access().at(),
          load.access().checked(),
          load.outside(),
          /* isIndex= */ false);
    }

    /** An element that is an index is always checked, and 0 outside. */
    static Read of(Element element) {
      return new Read(
          element.tensor(),
          element.at(),
          /* checked= */ true,
          /* outside= */ 0,
          /* isIndex= */ true);
    }
  }

  /** Collects while it rewrites nothing. */
  private static final class Collector extends Rewriter {

    final List<Read> reads = new ArrayList<>();
    final Set<Integer> carried = new LinkedHashSet<>();

    @Override
    IndexExpression element(Element element) {
      reads.add(Read.of(element));
      return element;
    }

    @Override
    Expression load(Expression.Load load) {
      reads.add(Read.of(load));
      return load;
    }

    @Override
    int carried(int id) {
      carried.add(id);
      return id;
    }
  }

  private Reads() {}

  /**
   * The elements that a statement reads, those in the indices of its target too. What an
   * accumulation finds in its target is not among them.
   */
  static List<Read> of(Statement statement) {
    Collector collector = new Collector();
    collector.statement(statement);
    return collector.reads;
  }

  static List<Read> of(Expression expression) {
    Collector collector = new Collector();
    collector.expression(expression);
    return collector.reads;
  }

  /** The elements that the bounds of a loop read. */
  static List<Read> ofBounds(Loop loop) {
    Collector collector = new Collector();
    collector.index(loop.start());
    collector.index(loop.end());
    return collector.reads;
  }

  /** The carried variables whose values an expression has. */
  static Set<Integer> carriedIn(Expression expression) {
    Collector collector = new Collector();
    collector.expression(expression);
    return collector.carried;
  }

  /** Visits the numbers, loop indices, extents and parameters of an expression. */
  static void leaves(IndexExpression expression, Consumer<IndexExpression> visitor) {
    new Rewriter() {
      @Override
      IndexExpression leaf(IndexExpression leaf) {
        visitor.accept(leaf);
        return leaf;
      }
    }.index(expression);
  }

  /** Whether an expression is, or has as a part, another. */
  static boolean mentions(IndexExpression expression, IndexExpression part) {
    if (expression.equals(part)) {
      return true;
    }
    if (expression instanceof Negation negation) {
      return mentions(negation.operand(), part);
    }
    if (expression instanceof Arithmetic arithmetic) {
      return mentions(arithmetic.left(), part) || mentions(arithmetic.right(), part);
    }
    return expression instanceof Element element
        && element.at().stream().anyMatch(index -> mentions(index, part));
  }

  /** Whether an expression depends on the elements of a tensor. */
  static boolean mentionsElement(IndexExpression expression) {
    Collector collector = new Collector();
    collector.index(expression);
    return !collector.reads.isEmpty();
  }
}
