package dev.sublet.runtime.micro.op;

import static dev.sublet.runtime.micro.op.LoopNests.indices;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contribution of one node to the gradient of one of its operands: {@code emitGrad} of every
 * micro op.
 *
 * <p>A reindex that reads each element at most once (transpose, slice, pad, reverse), or that
 * repeats whole axes, is inverted: each element of the operand's gradient gathers its part of the
 * result's gradient. Every other reindex scatters the result's gradient. The gradient of a maximum
 * or minimum reduction goes to every element that equals the result, as in Paddle's reduce_max. The
 * gradient of a product of n elements costs O(n²) and is correct even if some elements are zero.
 */
final class OperandGradient {

  private final MicroGraph graph;
  private final ForwardValues values;
  private final MicroValue result;
  private final MicroNode node;
  private final String gradient;

  /**
   * Creates the contributions of a node.
   *
   * @param result the value that the node computes
   * @param gradient the tensor with the gradient of the result
   */
  OperandGradient(MicroGraph graph, ForwardValues values, MicroValue result, String gradient) {
    this.graph = requireNonNull(graph, "graph");
    this.values = requireNonNull(values, "values");
    this.result = requireNonNull(result, "result");
    this.node = graph.node(result);
    this.gradient = requireNonNull(gradient, "gradient");
  }

  /**
   * Returns the contribution to an operand. Requires that {@link GradientFlow#reaches} is true for
   * the operand.
   */
  Contribution of(int position) {
    MicroOp op = node.op();
    MicroNode operand = graph.node(op.operands().get(position));
    if (op instanceof MicroOp.Reindex reindex) {
      return gathered(reindex, operand)
          .orElseGet(() -> new Contribution.Scattered(node.shape(), reindex.at(), dy()));
    }
    if (op instanceof MicroOp.Select select) {
      List<IndexExpression> at = new ArrayList<>(indices(node.rank()));
      at.set(
          select.axis(),
          new IndexExpression.Element(values.tensor(select.index()), indices(node.rank())));
      return new Contribution.Scattered(node.shape(), ImmutableList.copyOf(at), dy());
    }
    if (op instanceof MicroOp.Reduce reduce) {
      return reduced(reduce, operand);
    }
    Expression element = element(op, position, operand.type());
    if (operand.rank() == 0 && node.rank() > 0) {
      return sum(LoopNests.over(node.shape()), element);
    }
    return new Contribution.Pointwise(element);
  }

  private Expression element(MicroOp op, int position, ElementType operandType) {
    ElementDerivative derivative =
        new ElementDerivative(values, result, node.type(), indices(node.rank()), dy());
    if (op instanceof MicroOp.Unary unary) {
      return derivative.of(unary);
    }
    if (op instanceof MicroOp.Binary binary) {
      return derivative.of(binary, position);
    }
    if (op instanceof MicroOp.Ternary ternary) {
      return derivative.of(ternary, position);
    }
    if (op instanceof MicroOp.Cast) {
      return new Expression.Cast(operandType, dy());
    }
    throw new AssertionError(op);
  }

  /**
   * Returns the contribution of an inverted reindex; empty if the position in the result of the
   * operand's element cannot be computed.
   */
  private Optional<Contribution> gathered(MicroOp.Reindex reindex, MicroNode operand) {
    @Nullable IndexExpression[] from = new @Nullable IndexExpression[node.rank()];
    for (int axis = 0; axis < operand.rank(); axis++) {
      IndexExpression index = reindex.at().get(axis);
      boolean single =
          index.equals(new Constant(0)) && operand.shape().get(axis).equals(new Constant(1));
      if (!single) {
        Optional<IndexInverse> inverse = IndexInverse.of(index, new LoopIndex(axis));
        if (inverse.isEmpty() || from[inverse.get().loop()] != null) {
          return Optional.empty();
        }
        from[inverse.get().loop()] = inverse.get().value();
      }
    }
    List<Loop> repeated = new ArrayList<>();
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < node.rank(); axis++) {
      IndexExpression index = from[axis];
      if (index == null && node.shape().get(axis).equals(new Constant(1))) {
        index = new Constant(0);
      } else if (index == null) {
        int loop = operand.rank() + repeated.size();
        repeated.add(LoopNests.loop(loop, node.shape().get(axis)));
        index = new LoopIndex(loop);
      }
      at.add(index);
    }
    Expression dy = load(at.build());
    return Optional.of(repeated.isEmpty() ? new Contribution.Pointwise(dy) : sum(repeated, dy));
  }

  private Contribution reduced(MicroOp.Reduce reduce, MicroNode operand) {
    ImmutableList<IndexExpression> kept = EmitProgram.keptIndices(operand.rank(), reduce.axes());
    ImmutableList<IndexExpression> here = indices(operand.rank());
    Expression dy = load(kept);
    return switch (reduce.reduction()) {
      case SUM -> new Contribution.Pointwise(dy);
      case MEAN ->
          new Contribution.Pointwise(
              new Expression.Binary(
                  BinaryOperator.DIVIDE,
                  dy,
                  EmitProgram.count(reduce.axes(), operand, node.type())));
      case MAXIMUM, MINIMUM ->
          new Contribution.Pointwise(
              new Expression.Conditional(
                  new Expression.Binary(
                      BinaryOperator.EQUAL,
                      values.load(reduce.x(), here),
                      values.load(result, kept)),
                  dy,
                  ElementDerivative.literal(node.type(), 0)));
      case PRODUCT -> product(reduce, operand, dy);
      case ARGMAX, ARGMIN -> throw new AssertionError(reduce);
    };
  }

  /** Returns the product of the other elements, in loops of its own, times dy. */
  private Contribution product(MicroOp.Reduce reduce, MicroNode operand, Expression dy) {
    List<IndexExpression> other = new ArrayList<>(indices(operand.rank()));
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    @Nullable Expression same = null;
    for (int i = 0; i < reduce.axes().length(); i++) {
      int axis = reduce.axes().get(i);
      LoopIndex index = new LoopIndex(operand.rank() + i);
      loops.add(LoopNests.loop(index.id(), operand.shape().get(axis)));
      other.set(axis, index);
      Expression sameHere =
          new Expression.Binary(
              BinaryOperator.EQUAL,
              new Expression.IndexValue(index),
              new Expression.IndexValue(new LoopIndex(axis)));
      same = same == null ? sameHere : new Expression.Binary(BinaryOperator.AND, same, sameHere);
    }
    return new Contribution.Folded(
        ReduceOperator.PRODUCT,
        loops.build(),
        new Expression.Conditional(
            requireNonNull(same),
            ElementDerivative.literal(node.type(), 1),
            values.load(reduce.x(), ImmutableList.copyOf(other))),
        new Expression.Binary(BinaryOperator.MULTIPLY, dy, new Expression.CarriedValue(0)));
  }

  private static Contribution sum(List<Loop> loops, Expression number) {
    return new Contribution.Folded(
        ReduceOperator.SUM,
        ImmutableList.copyOf(loops),
        number,
        new Expression.CarriedValue(/* id= */ 0));
  }

  /** Returns the gradient of the result's element at i0, i1, …. */
  private Expression dy() {
    return load(indices(node.rank()));
  }

  private Expression load(ImmutableList<IndexExpression> at) {
    return new Expression.Load(Access.of(gradient, at), /* outside= */ 0);
  }
}
