package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;

/** One micro op: a primitive operation on tensors. */
public sealed interface MicroOp {

  /** Returns the operands, in order. */
  ImmutableList<MicroValue> operands();

  /** A tensor that the caller passes. */
  record Input() implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of();
    }
  }

  /**
   * A number that broadcasts to every shape: a literal or a parameter.
   *
   * @param value a literal or a {@link Expression.ScalarParameter}
   */
  record Scalar(Expression value) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of();
    }
  }

  /**
   * An INT64 tensor whose elements are computed from their own indices.
   *
   * @param index an expression over the loop indices of the result
   */
  record Position(IndexExpression index) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of();
    }
  }

  /**
   * The elements of a tensor in a new order and shape: {@code y[i0, …] = x[at]}.
   *
   * @param x the tensor
   * @param at an index for each axis of x, over the loop indices of the result
   * @param outside the element of the result where {@code at} is out of bounds
   */
  record Reindex(MicroValue x, ImmutableList<IndexExpression> at, double outside)
      implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(x);
    }
  }

  /** A function of each element. */
  record Unary(UnaryOperator operator, MicroValue x) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(x);
    }
  }

  /** An elementwise function of two tensors of equal shapes; a scalar broadcasts to every shape. */
  record Binary(BinaryOperator operator, MicroValue x, MicroValue y) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(x, y);
    }
  }

  /** An elementwise choice between two values by a boolean; a scalar broadcasts to every shape. */
  record Ternary(MicroValue condition, MicroValue x, MicroValue y) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(condition, x, y);
    }
  }

  /** A conversion to the type of the result. */
  record Cast(MicroValue x) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(x);
    }
  }

  /**
   * A reduction along some axes. The reduced axes remain, with extent 1.
   *
   * @param axes ascending, without duplicates, at least one
   */
  record Reduce(Reduction reduction, ImmutableIntArray axes, MicroValue x) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(x);
    }
  }

  /**
   * The elements at positions along an axis that another tensor contains: {@code y[i0, i1] = x[i0,
   * index[i0, i1]]} for axis 1. The result has the shape of the index.
   */
  record Select(int axis, MicroValue x, MicroValue index) implements MicroOp {

    @Override
    public ImmutableList<MicroValue> operands() {
      return ImmutableList.of(x, index);
    }
  }
}
