package dev.sublet.runtime.micro.fuse.fact;

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

/** Finds the elements and variables that statements and expressions read. Each query is O(size). */
public final class Reads {

  /**
   * A read of a tensor's element.
   *
   * @param at one index per axis
   * @param checked whether the indices may be out of bounds
   * @param outside the value of a read out of bounds
   * @param isIndex whether the element is an index or a part of one, {@link Element}, and not a
   *     load
   */
  public record Read(
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

    /**
     * Returns the read of an element used as an index: it is always checked, and 0 out of bounds.
     */
    static Read of(Element element) {
      return new Read(
          element.tensor(),
          element.at(),
          /* checked= */ true,
          /* outside= */ 0,
          /* isIndex= */ true);
    }
  }

  /** A rewriter that collects reads and changes nothing. */
  private static final class Collector extends Rewriter {

    final List<Read> reads = new ArrayList<>();
    final Set<Integer> carried = new LinkedHashSet<>();

    @Override
    public IndexExpression element(Element element) {
      reads.add(Read.of(element));
      return element;
    }

    @Override
    public Expression load(Expression.Load load) {
      reads.add(Read.of(load));
      return load;
    }

    @Override
    public int carried(int id) {
      carried.add(id);
      return id;
    }
  }

  private Reads() {}

  /**
   * Returns the elements that a statement reads, including those in the indices of its target. The
   * target of an accumulation is not included.
   */
  public static List<Read> of(Statement statement) {
    Collector collector = new Collector();
    collector.statement(statement);
    return collector.reads;
  }

  /** Collects the reads of an expression. O(size). */
  public static List<Read> of(Expression expression) {
    Collector collector = new Collector();
    collector.expression(expression);
    return collector.reads;
  }

  /** Returns the elements that the bounds of a loop read. */
  public static List<Read> ofBounds(Loop loop) {
    Collector collector = new Collector();
    collector.index(loop.start());
    collector.index(loop.end());
    return collector.reads;
  }

  /** Returns the carried variables that an expression reads. */
  public static Set<Integer> carriedIn(Expression expression) {
    Collector collector = new Collector();
    collector.expression(expression);
    return collector.carried;
  }

  /** Visits the numbers, loop indices, extents and parameters of an expression. */
  public static void leaves(IndexExpression expression, Consumer<IndexExpression> visitor) {
    new Rewriter() {
      @Override
      public IndexExpression leaf(IndexExpression leaf) {
        visitor.accept(leaf);
        return leaf;
      }
    }.index(expression);
  }

  /** Whether an expression equals or contains another expression. */
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

  /** Whether an expression contains an element of a tensor. */
  public static boolean mentionsElement(IndexExpression expression) {
    Collector collector = new Collector();
    collector.index(expression);
    return !collector.reads.isEmpty();
  }
}
