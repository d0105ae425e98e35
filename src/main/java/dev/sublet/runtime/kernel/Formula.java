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
 * A builder of arithmetic in a graph of micro ops whose extents are all known numbers. A number
 * that is combined with a tensor takes the tensor's element type.
 *
 * <pre>{@code
 * f.over(x, f.plus(f.apply(UnaryOperator.ABSOLUTE, x), 1)) // x / (|x| + 1)
 * }</pre>
 */
public final class Formula {

  private final MicroGraphBuilder graph;

  /** Creates a builder that adds to a graph. */
  public Formula(MicroGraphBuilder graph) {
    this.graph = graph;
  }

  /** Returns the graph to which this builder adds. */
  public MicroGraphBuilder graph() {
    return graph;
  }

  /** Returns the extents of a value; empty for a scalar. */
  public long[] shape(MicroValue x) {
    ImmutableList<IndexExpression> extents = graph.shape(x);
    long[] shape = new long[extents.size()];
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = ((IndexExpression.Constant) extents.get(axis)).value();
    }
    return shape;
  }

  /** Returns the number of axes of a value. */
  public int rank(MicroValue x) {
    return graph.shape(x).size();
  }

  /** Returns the element type of a value. */
  public ElementType type(MicroValue x) {
    return graph.type(x);
  }

  /** Returns a scalar with the element type of a value. */
  public MicroValue number(MicroValue like, double value) {
    return graph.scalar(type(like), value);
  }

  /** Returns a tensor whose elements are all one number. */
  public MicroValue filled(ElementType type, double value, long... shape) {
    MicroValue zeros = graph.position(Shapes.constants(shape), Indices.number(0));
    return type.isNarrow()
        ? graph.cast(type, plus(zeros, value))
        : plus(graph.cast(type, zeros), value);
  }

  /**
   * Returns a tensor whose elements are all one number, for any element type. Integers lose
   * fractions.
   *
   * @throws OperatorException if the number does not fit in an integer type
   */
  public MicroValue constant(ElementType type, double value, long... shape) {
    if (type.isFloating()) {
      return filled(type, value, shape);
    }
    long whole = (long) value;
    boolean isTruth = type == ElementType.BOOL;
    if (!isTruth && (!(Math.abs(value) < 0x1p63) || type.wrapped(whole) != whole)) {
      throw new OperatorException(value + " does not fit in " + type);
    }
    return graph.cast(type, position(shape, Indices.number(whole)));
  }

  /** Returns an INT64 tensor whose elements are an expression of their own indices. */
  public MicroValue position(long[] shape, IndexExpression index) {
    return graph.position(Shapes.constants(shape), index);
  }

  /** Converts integers of 8 bits to INT32; returns values of other types unchanged. */
  public MicroValue widened(MicroValue x) {
    return as(type(x).isNarrow() ? ElementType.INT32 : type(x), x);
  }

  /** Converts a value to a type; integers that do not fit wrap. */
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

  /** Returns the elements of a tensor in a new order and shape; 0 for indices out of bounds. */
  public MicroValue reindex(MicroValue x, long[] shape, IndexExpression... at) {
    return graph.reindex(x, Shapes.constants(shape), ImmutableList.copyOf(at));
  }

  /** Returns the same elements, in row-major order, in another shape. */
  public MicroValue reshape(MicroValue x, long... shape) {
    long[] from = shape(x);
    return Arrays.equals(from, shape)
        ? x
        : graph.reindex(x, Shapes.constants(shape), Indices.reshaped(from, shape));
  }

  /**
   * Returns x with its axes in another order: axis k of the result is axis {@code order[k]} of x.
   */
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

  /** Returns x in a shape of the same rank: elements repeat along axes where x has extent 1. */
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
   * Returns a tensor of a shape in which axis k of x is axis {@code axes[k]}; x repeats along the
   * other axes.
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

  /** Returns a tensor of a shape whose elements all equal the single element of x. */
  public MicroValue repeat(MicroValue x, long... shape) {
    IndexExpression[] at = new IndexExpression[rank(x)];
    Arrays.fill(at, Indices.number(0));
    return reindex(x, shape, at);
  }

  /** Reduces x along some axes. The axes stay, with extent 1. */
  public MicroValue reduce(Reduction reduction, MicroValue x, int... axes) {
    return axes.length == 0 ? x : graph.reduce(reduction, x, axes);
  }

  /**
   * Reduces x along some axes and removes them. If no axis remains, the result has the shape [1].
   */
  public MicroValue reduceAway(Reduction reduction, MicroValue x, int... axes) {
    MicroValue reduced = reduce(reduction, x, axes);
    long[] shape = Shapes.without(shape(reduced), axes);
    return reshape(reduced, shape.length == 0 ? new long[] {1} : shape);
  }

  /**
   * Returns sums of products. Each element of the result is the sum of x times y over the loops
   * {@code summed}.
   *
   * @param kept the extents of the result, which are the first loops
   * @param summed the extents of the loops of the sum, which follow those of the result
   * @param xAt an index for each axis of x, in terms of all loops; an index out of bounds adds 0
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
