package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.tensor.ElementType;

/**
 * One value of a graph and how it is made.
 *
 * @param name unique in the graph
 * @param op what makes it
 * @param type its elements
 * @param shape one expression an axis, over extents of inputs, parameters and numbers
 */
public record MicroNode(
    String name, MicroOp op, ElementType type, ImmutableList<IndexExpression> shape) {

  public MicroNode {
    requireNonNull(name, "name");
    requireNonNull(op, "op");
    requireNonNull(type, "type");
    requireNonNull(shape, "shape");
  }

  /** The number of axes; 0 for scalars. */
  public int rank() {
    return shape.size();
  }

  /** Whether it is a literal or a parameter and so no tensor. */
  public boolean isScalar() {
    return op instanceof MicroOp.Scalar;
  }
}
