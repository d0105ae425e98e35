package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexParser;
import dev.sublet.runtime.tensor.ElementType;
import java.util.List;

/**
 * What names in indices and shapes mean: letters are operands, whose extents are known, and so are
 * those of every named value of a graph.
 */
final class OperandScope implements IndexParser.Scope {

  /** The rank of what has no indices. */
  static final int NO_LOOPS = -1;

  private final MicroGraphBuilder graph;
  private final List<MicroValue> operands;
  private final int loops;

  /**
   * A scope in a graph.
   *
   * @param operands A, B, …
   * @param loops the rank of the result whose indices may be named, or {@link #NO_LOOPS}
   */
  OperandScope(MicroGraphBuilder graph, List<MicroValue> operands, int loops) {
    this.graph = graph;
    this.operands = operands;
    this.loops = loops;
  }

  @Override
  public IndexExpression axisOfOperand(char letter, int axis) {
    int operand = letter - 'A';
    checkArgument(operand < operands.size(), "there is no operand %s", letter);
    MicroNode node = graph.node(operands.get(operand));
    checkArgument(axis < node.rank(), "%s has %s axes", letter, node.rank());
    return node.shape().get(axis);
  }

  @Override
  public IndexExpression axisOfTensor(String tensor, int axis) {
    MicroNode node = graph.tensor(tensor);
    checkArgument(axis < node.rank(), "%s has %s axes", tensor, node.rank());
    return node.op() instanceof MicroOp.Input
        ? new IndexExpression.AxisSize(tensor, axis)
        : node.shape().get(axis);
  }

  @Override
  public IndexExpression parameter(String parameterName) {
    ElementType type = graph.parameterType(parameterName);
    checkArgument(
        type == ElementType.INT32 || type == ElementType.INT64,
        "$%s is %s and cannot be a part of an index",
        parameterName,
        type);
    return new IndexExpression.Parameter(parameterName);
  }

  @Override
  public IndexExpression loop(int id) {
    checkArgument(loops != NO_LOOPS, "a shape cannot mention i%s", id);
    checkArgument(id < loops, "there is no i%s: the result has %s axes", id, loops);
    return new IndexExpression.LoopIndex(id);
  }

  @Override
  public IndexExpression element(String tensor, ImmutableList<IndexExpression> at) {
    throw new IllegalArgumentException("an index cannot read " + tensor + "; use select");
  }

  @Override
  public void require(IndexExpression left, IndexExpression right) {
    graph.requirements().equal(left, right);
  }
}
