package dev.sublet.runtime.micro.text;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.IndexExpression;

/**
 * Builds index expressions from the names in a program text. {@link MicroProgramCheck} checks later
 * what the names refer to.
 */
record ProgramIndices(SourcePositions positions) implements IndexParser.NameScope {

  @Override
  public IndexExpression axisOfOperand(char letter, int axis) {
    throw new IllegalArgumentException(
        "there are no operands here; write d(x, " + axis + ") for an extent of x");
  }

  @Override
  public IndexExpression axisOfTensor(String tensor, int axis) {
    return new IndexExpression.AxisSize(tensor, axis);
  }

  @Override
  public IndexExpression parameter(String name) {
    return new IndexExpression.Parameter(name);
  }

  @Override
  public IndexExpression loop(int id) {
    return new IndexExpression.LoopIndex(id);
  }

  @Override
  public IndexExpression element(String tensor, ImmutableList<IndexExpression> at) {
    return new IndexExpression.Element(tensor, at);
  }

  @Override
  public void require(IndexExpression left, IndexExpression right) {
    throw new AssertionError(left);
  }

  @Override
  public void found(IndexExpression meaning, int position) {
    positions.add(meaning, position);
  }
}
