package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.text.IndexParser;
import dev.sublet.runtime.tensor.ElementType;
import java.util.List;

/**
 * The meanings of names in indices and shapes. Letters denote operands, whose extents are known;
 * the extents of every named value of the graph can be referred to as well.
 */
final class OperandScope implements IndexParser.NameScope {

  /** The rank that stands for a place without loop indices. */
  static final int NO_LOOPS = -1;

  private final MicroGraphBuilder graph;
  private final List<MicroValue> operands;
  private final int loops;

  /**
   * Creates a scope in a graph.
   *
   * @param operands the operands A, B, …
   * @param loops the rank of the result whose indices may be referred to, or {@link #NO_LOOPS}
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
