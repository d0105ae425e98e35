package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import java.util.BitSet;

/**
 * Which way gradients flow: from a value to an operand if both are floating-point numbers and the
 * op has a derivative that is not zero everywhere. Scalars are no tensors and lead to no input.
 */
final class GradientFlow {

  private final MicroGraph graph;

  GradientFlow(MicroGraph graph) {
    this.graph = requireNonNull(graph, "graph");
  }

  /**
   * The values between some inputs and some outputs: those whose gradients are not zero for sure
   * and are of use. O(ops).
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

  /** Whether an operand of a node gets a gradient from it. */
  boolean reaches(MicroNode node, MicroValue operand) {
    return node.type().isFloating()
        && graph.node(operand).type().isFloating()
        && isDifferentiable(node.op());
  }

  /** Conditions and indices are no floating-point numbers; so all operands are alike. */
  private static boolean isDifferentiable(MicroOp op) {
    if (op instanceof MicroOp.Unary unary) {
      return isDifferentiable(unary.operator());
    }
    if (op instanceof MicroOp.Binary binary) {
      return isDifferentiable(binary.operator());
    }
    return !(op instanceof MicroOp.Reduce reduce) || isDifferentiable(reduce.reduction());
  }

  /** Whether the derivative is not zero wherever there is one. */
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

  /** The same for both operands. */
  static boolean isDifferentiable(BinaryOperator operator) {
    return switch (operator) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM, POWER, MODULO -> true;
      case FLOOR_DIVIDE, EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, AND, OR, XOR ->
          false;
    };
  }

  /** The same for the elements along the reduced axes. */
  static boolean isDifferentiable(Reduction reduction) {
    return switch (reduction) {
      case SUM, MEAN, PRODUCT, MAXIMUM, MINIMUM -> true;
      case ARGMAX, ARGMIN -> false;
    };
  }
}
