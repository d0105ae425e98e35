package dev.sublet.program;

import dev.sublet.proto.OpDesc;

/**
 * The type of an operator, and the layouts of its slots. Operators have few layouts, so a program
 * has one object for all operators of a layout.
 *
 * <pre>
 *   a = relu(b)   c = relu(d)   e = relu(X: a b)      two layouts: X has one argument, or two
 * </pre>
 */
record OperatorLayout(String type, SlotLayout inputs, SlotLayout outputs) {

  /** The layout of an operator without repeated slots. */
  static OperatorLayout of(OpDesc operation) {
    return new OperatorLayout(
        operation.getType(),
        new SlotLayout(operation.getInputsList()),
        new SlotLayout(operation.getOutputsList()));
  }

  /** Whether this is the layout of an operator of the same type. O(slots). */
  boolean isOf(OpDesc operation) {
    return inputs.isOf(operation.getInputsList()) && outputs.isOf(operation.getOutputsList());
  }
}
