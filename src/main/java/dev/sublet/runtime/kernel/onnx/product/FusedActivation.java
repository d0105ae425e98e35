package dev.sublet.runtime.kernel.onnx.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;

/**
 * The activation at the end of a fused operator.
 *
 * @param name ONNX's name of the function; empty for none
 * @param alpha the function's first parameter
 * @param beta the function's second parameter
 */
record FusedActivation(String name, double alpha, double beta) {

  /** Applies the activation to each element. */
  MicroValue apply(Formula f, MicroValue x) {
    return switch (name) {
      case "" -> x;
      case "Relu" -> f.apply(BinaryOperator.MAXIMUM, x, 0.0);
      case "Tanh" -> f.apply(UnaryOperator.TANH, x);
      case "Sigmoid" -> f.apply(UnaryOperator.SIGMOID, x);
      case "LeakyRelu" -> {
        MicroValue isPositive = f.apply(BinaryOperator.GREATER_EQUAL, x, 0.0);
        yield f.graph().choose(isPositive, x, f.times(x, alpha));
      }
      case "Clip" -> within(f, x, alpha, beta);
      case "HardSigmoid" -> within(f, f.plus(f.times(x, alpha), beta), 0, 1);
      default -> throw new OperatorException("the activation " + name);
    };
  }

  private static MicroValue within(Formula f, MicroValue x, double least, double most) {
    return f.apply(BinaryOperator.MINIMUM, f.apply(BinaryOperator.MAXIMUM, x, least), most);
  }
}
