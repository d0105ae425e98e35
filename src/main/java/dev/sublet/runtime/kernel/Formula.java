package dev.sublet.runtime.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroGraphBuilder;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * A builder of arithmetic in a graph of micro ops whose extents are all numbers. A number takes the
 * element type of the tensor beside it.
 *
 * <pre>{@code
 * f.over(x, f.plus(f.apply(UnaryOperator.ABSOLUTE, x), 1)) // x / (|x| + 1)
 * }</pre>
 */
public final class Formula {

  private final MicroGraphBuilder graph;

  /** Writes to this graph. */
  public Formula(MicroGraphBuilder graph) {
    this.graph = graph;
  }

  /** The graph that is written to. */
  public MicroGraphBuilder graph() {
    return graph;
  }

  /** The extents of a value; empty for a scalar. */
  public long[] shape(MicroValue x) {
    ImmutableList<IndexExpression> extents = graph.shape(x);
    long[] shape = new long[extents.size()];
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = ((IndexExpression.Constant) extents.get(axis)).value();
    }
    return shape;
  }

  /** The number of axes. */
  public int rank(MicroValue x) {
    return graph.shape(x).size();
  }

  /** The type of the elements. */
  public ElementType type(MicroValue x) {
    return graph.type(x);
  }

  /** A number of the type of a value. */
  public MicroValue number(MicroValue like, double value) {
    return graph.scalar(type(like), value);
  }

  /** A tensor of one number everywhere. */
  public MicroValue filled(ElementType type, double value, long... shape) {
    MicroValue zeros = graph.position(Shapes.constants(shape), Indices.number(0));
    return type.isNarrow()
        ? graph.cast(type, plus(zeros, value))
        : plus(graph.cast(type, zeros), value);
  }

  /** Indices of a tensor's own elements, INT64. */
  public MicroValue position(long[] shape, IndexExpression index) {
    return graph.position(Shapes.constants(shape), index);
  }

  /** Integers of 8 bits as INT32; all others as they are. */
  public MicroValue widened(MicroValue x) {
    return as(type(x).isNarrow() ? ElementType.INT32 : type(x), x);
  }

  /** The same values in a type; integers that do not fit wrap. */
  public MicroValue as(ElementType type, MicroValue x) {
    return type(x) == type ? x : graph.cast(type, x);
  }

  /** Applies an operator to each element. */
  public MicroValue apply(BinaryOperator operator, MicroValue x, MicroValue y) {
    return graph.binary(operator, x, y);
  }

  /** Applies an operator to each element. */
  public MicroValue apply(BinaryOperator operator, MicroValue x, double y) {
    return apply(operator, x, number(x, y));
  }

  /** Applies an operator to each element. */
  public MicroValue apply(BinaryOperator operator, MicroValue x, long y) {
    return apply(operator, x, graph.scalar(type(x), y));
  }

  /** Applies an operator to each element. */
  public MicroValue apply(UnaryOperator operator, MicroValue x) {
    return graph.unary(operator, x);
  }

  /** x + y, element by element. */
  public MicroValue plus(MicroValue x, MicroValue y) {
    return apply(BinaryOperator.ADD, x, y);
  }

  /** x + y, element by element. */
  public MicroValue plus(MicroValue x, double y) {
    return apply(BinaryOperator.ADD, x, y);
  }

  /** x + y, element by element. */
  public MicroValue plus(MicroValue x, long y) {
    return apply(BinaryOperator.ADD, x, y);
  }

  /** x - y, element by element. */
  public MicroValue minus(MicroValue x, MicroValue y) {
    return apply(BinaryOperator.SUBTRACT, x, y);
  }

  /** A number minus each element. */
  public MicroValue minus(double x, MicroValue y) {
    return apply(BinaryOperator.SUBTRACT, number(y, x), y);
  }

  /** x * y, element by element. */
  public MicroValue times(MicroValue x, MicroValue y) {
    return apply(BinaryOperator.MULTIPLY, x, y);
  }

  /** x * y, element by element. */
  public MicroValue times(MicroValue x, double y) {
    return apply(BinaryOperator.MULTIPLY, x, y);
  }

  /** x * y, element by element. */
  public MicroValue times(MicroValue x, long y) {
    return apply(BinaryOperator.MULTIPLY, x, y);
  }

  /** x / y, element by element. */
  public MicroValue over(MicroValue x, MicroValue y) {
    return apply(BinaryOperator.DIVIDE, x, y);
  }

  /** x / y, element by element. */
  public MicroValue over(MicroValue x, double y) {
    return apply(BinaryOperator.DIVIDE, x, y);
  }

  /** x / y, element by element. */
  public MicroValue over(MicroValue x, long y) {
    return apply(BinaryOperator.DIVIDE, x, y);
  }

  /** x * x, element by element. */
  public MicroValue square(MicroValue x) {
    return times(x, x);
  }

  /** The square root of each element. */
  public MicroValue sqrt(MicroValue x) {
    return apply(UnaryOperator.SQRT, x);
  }

  /** Elements of a tensor in a new order and shape, 0 outside. */
  public MicroValue reindex(MicroValue x, long[] shape, IndexExpression... at) {
    return graph.reindex(x, Shapes.constants(shape), ImmutableList.copyOf(at));
  }

  /** The same elements, row by row, in another shape. */
  public MicroValue reshape(MicroValue x, long... shape) {
    long[] from = shape(x);
    return Arrays.equals(from, shape)
        ? x
        : graph.reindex(x, Shapes.constants(shape), Indices.reshaped(from, shape));
  }

  /** The axes in another order: axis k of the result is {@code order[k]} of x. */
  public MicroValue transpose(MicroValue x, int... order) {
    long[] from = shape(x);
    long[] shape = new long[from.length];
    IndexExpression[] at = new IndexExpression[from.length];
    boolean same = true;
    for (int axis = 0; axis < order.length; axis++) {
      same &= order[axis] == axis;
      shape[axis] = from[order[axis]];
      at[order[axis]] = Indices.loop(axis);
    }
    return same ? x : reindex(x, shape, at);
  }

  /** Extents of 1 repeated as often as a shape of the same rank says. */
  public MicroValue stretch(MicroValue x, long... shape) {
    long[] from = shape(x);
    checkArgument(from.length == shape.length, "%s axes for %s", from.length, shape.length);
    IndexExpression[] at = new IndexExpression[from.length];
    for (int axis = 0; axis < from.length; axis++) {
      checkArgument(
          from[axis] == 1 || from[axis] == shape[axis],
          "the extent %s of axis %s cannot become %s",
          from[axis],
          axis,
          shape[axis]);
      at[axis] = from[axis] == 1 ? Indices.number(0) : Indices.loop(axis);
    }
    return Arrays.equals(from, shape) ? x : reindex(x, shape, at);
  }

  /**
   * A tensor whose axis k lies at axis {@code axes[k]} of the result, repeated along the others.
   */
  public MicroValue along(MicroValue x, long[] shape, int... axes) {
    IndexExpression[] at = new IndexExpression[axes.length];
    long[] from = shape(x);
    checkArgument(from.length == axes.length, "%s axes for %s", from.length, axes.length);
    for (int axis = 0; axis < axes.length; axis++) {
      at[axis] = from[axis] == 1 ? Indices.number(0) : Indices.loop(axes[axis]);
    }
    return reindex(x, shape, at);
  }

  /** One element everywhere: the only one of x. */
  public MicroValue repeat(MicroValue x, long... shape) {
    IndexExpression[] at = new IndexExpression[rank(x)];
    Arrays.fill(at, Indices.number(0));
    return reindex(x, shape, at);
  }

  /** The elements along some axes become one; the axes stay, with extent 1. */
  public MicroValue reduce(Reduction reduction, MicroValue x, int... axes) {
    return axes.length == 0 ? x : graph.reduce(reduction, x, axes);
  }

  /** The same, and the axes go; none of them leaves a tensor with one element. */
  public MicroValue reduceAway(Reduction reduction, MicroValue x, int... axes) {
    MicroValue reduced = reduce(reduction, x, axes);
    long[] shape = Shapes.without(shape(reduced), axes);
    return reshape(reduced, shape.length == 0 ? new long[] {1} : shape);
  }

  /**
   * Products summed up: for each element of the result, over the last axes, x times y.
   *
   * @param kept the extents of the result: the first loops
   * @param summed the extents that are summed over: the loops after them
   * @param xAt an index for each axis of x over all loops, 0 is added where it is out of bounds
   * @param yAt an index for each axis of y
   */
  public MicroValue contract(
      long[] kept,
      long[] summed,
      MicroValue x,
      IndexExpression[] xAt,
      MicroValue y,
      IndexExpression[] yAt) {
    long[] all = Shapes.concat(kept, summed);
    MicroValue products = times(reindex(x, all, xAt), reindex(y, all, yAt));
    return reduceAway(Reduction.SUM, products, Shapes.range(kept.length, all.length));
  }
}
