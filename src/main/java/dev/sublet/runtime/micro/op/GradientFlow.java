package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import java.util.BitSet;

/**
 * The direction of gradient flow in a graph. A gradient flows from a value to an operand if both
 * are floating-point and the derivative of the op is not zero everywhere. Scalars are not tensors,
 * so no gradient flows through them.
 */
final class GradientFlow {

  private final MicroGraph graph;

  GradientFlow(MicroGraph graph) {
    this.graph = requireNonNull(graph, "graph");
  }

  /**
   * Returns the values on a path from one of the inputs to one of the outputs: their gradients may
   * be nonzero and are needed. O(ops).
   */
  BitSet between(BitSet inputs, BitSet outputs) {
    BitSet varying = (BitSet) inputs.clone();
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      for (MicroValue operand : node.op().operands()) {
        if (varying.get(operand.id()) && reaches(node, operand)) {
          varying.set(id);
        }
      }
    }
    BitSet useful = (BitSet) outputs.clone();
    for (int id = useful.length() - 1; id >= 0; id = useful.previousSetBit(id - 1)) {
      MicroNode node = graph.nodes().get(id);
      for (MicroValue operand : node.op().operands()) {
        useful.set(operand.id(), useful.get(operand.id()) || reaches(node, operand));
      }
    }
    varying.and(useful);
    return varying;
  }

  /** Whether a gradient flows from a node to one of its operands. */
  boolean reaches(MicroNode node, MicroValue operand) {
    return node.type().isFloating()
        && graph.node(operand).type().isFloating()
        && isDifferentiable(node.op());
  }

  /**
   * Whether an op passes gradients on. The answer holds for all floating-point operands of the op;
   * an op's conditions and indices are never floating-point.
   */
  private static boolean isDifferentiable(MicroOp op) {
    if (op instanceof MicroOp.Unary unary) {
      return isDifferentiable(unary.operator());
    }
    if (op instanceof MicroOp.Binary binary) {
      return isDifferentiable(binary.operator());
    }
    return !(op instanceof MicroOp.Reduce reduce) || isDifferentiable(reduce.reduction());
  }

  /** Whether the derivative is nonzero somewhere. */
  static boolean isDifferentiable(UnaryOperator operator) {
    return switch (operator) {
      case SIGN, NOT, FLOOR, CEIL, ROUND -> false;
      case NEGATE,
          ABSOLUTE,
          EXP,
          LOG,
          LOG1P,
          EXPM1,
          SQRT,
          RSQRT,
          RECIPROCAL,
          TANH,
          SIGMOID,
          ERF,
          SIN,
          COS,
          TAN,
          ASIN,
          ACOS,
          ATAN,
          SINH,
          COSH ->
          true;
    };
  }

  /**
   * Whether the derivative with respect to the operands is nonzero somewhere; the same for both.
   */
  static boolean isDifferentiable(BinaryOperator operator) {
    return switch (operator) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM, POWER, MODULO -> true;
      case FLOOR_DIVIDE, EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, AND, OR, XOR ->
          false;
    };
  }

  /**
   * Whether the derivative with respect to the elements along the reduced axes is nonzero
   * somewhere.
   */
  static boolean isDifferentiable(Reduction reduction) {
    return switch (reduction) {
      case SUM, MEAN, PRODUCT, MAXIMUM, MINIMUM -> true;
      case ARGMAX, ARGMIN -> false;
    };
  }
}
