package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.tensor.ElementType;

/**
 * One value of a graph and the op that computes it.
 *
 * @param name the value's name, unique in the graph
 * @param op the op that computes the value
 * @param type the type of the elements
 * @param shape one expression per axis, over extents of inputs, parameters and numbers
 */
public record MicroNode(
    String name, MicroOp op, ElementType type, ImmutableList<IndexExpression> shape) {

  /** Returns the number of axes; 0 for scalars. */
  public int rank() {
    return shape.size();
  }

  /** Whether the value is a literal or a parameter, and so not a tensor. */
  public boolean isScalar() {
    return op instanceof MicroOp.Scalar;
  }
}
