package dev.sublet.runtime.kernel.elementwise;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/** Arithmetic of two tensors, element by element, and sums of many. */
public final class ElementwiseLowerings {

  private ElementwiseLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    register(kernels, "elementwise_add", BinaryOperator.ADD);
    register(kernels, "elementwise_div", BinaryOperator.DIVIDE);
    // Paddle 2.3 truncates the quotient, despite the operator's name.
    integers(kernels, "elementwise_floordiv", BinaryOperator.DIVIDE);
    register(kernels, "elementwise_max", BinaryOperator.MAXIMUM);
    register(kernels, "elementwise_min", BinaryOperator.MINIMUM);
    integers(kernels, "elementwise_mod", BinaryOperator.MODULO);
    register(kernels, "elementwise_mul", BinaryOperator.MULTIPLY);
    kernels.differentiated(
        "elementwise_pow",
        ElementwiseLowerings::power,
        lowering -> lower(lowering, BinaryOperator.POWER));
    register(kernels, "elementwise_sub", BinaryOperator.SUBTRACT);
    kernels.lowered("minus", lowering -> lower(lowering, BinaryOperator.SUBTRACT));
    kernels.lowered("sum", ElementwiseLowerings::sum);
  }

  private static void register(
      KernelRegistry.Builder kernels, String type, BinaryOperator operator) {
    kernels.differentiated(type, lowering -> lower(lowering, operator));
  }

  /** Registers an operator for integer quotients or remainders, which have no gradient operator. */
  private static void integers(
      KernelRegistry.Builder kernels, String type, BinaryOperator operator) {
    kernels.lowered(type, lowering -> lower(lowering, operator));
  }

  private static void lower(LoweringCall lowering, BinaryOperator operator) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue y = lowering.in("Y");
    Broadcast broadcast = Broadcast.of(f, x, y, lowering.call().integer("axis", -1));
    BinaryOperator typed = f.type(x) == ElementType.BOOL ? ofBooleans(operator) : operator;
    lowering.out("Out", f.apply(typed, broadcast.stretched(x), broadcast.stretched(y)));
  }

  /**
   * Lowers {@code elementwise_pow}. Paddle 2.3 exchanges the inputs of any operator if X has fewer
   * axes than Y, but its power does not undo the exchange: {@code [2] ** [[3]]} is 9. The gradient
   * operator does not take this into account.
   */
  private static void power(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue y = lowering.in("Y");
    Broadcast broadcast = Broadcast.of(f, x, y, lowering.call().integer("axis", -1));
    boolean isExchanged = f.rank(x) < f.rank(y);
    lowering.out(
        "Out",
        f.apply(
            BinaryOperator.POWER,
            broadcast.stretched(isExchanged ? y : x),
            broadcast.stretched(isExchanged ? x : y)));
  }

  private static BinaryOperator ofBooleans(BinaryOperator operator) {
    return switch (operator) {
      case ADD, MAXIMUM -> BinaryOperator.OR;
      case MULTIPLY, MINIMUM -> BinaryOperator.AND;
      default -> throw new OperatorException(operator + " of booleans");
    };
  }

  private static void sum(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue sum = lowering.in("X");
    for (int i = 1; i < lowering.call().arguments("X").size(); i++) {
      sum = f.plus(sum, lowering.in("X", i));
    }
    lowering.out("Out", sum);
  }
}
