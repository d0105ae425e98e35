package dev.sublet.runtime.kernel.elementwise;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Comparisons, logical operators, and selection by conditions. */
public final class ComparisonLowerings {

  /** The distance below which Paddle treats floating-point numbers as equal. */
  private static final double EQUAL_WITHIN = 1e-8;

  private ComparisonLowerings() {}

  /** A condition on each element. */
  private interface Condition {
    MicroValue of(Formula f, MicroValue x);
  }

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    comparison(kernels, "equal", BinaryOperator.EQUAL);
    comparison(kernels, "not_equal", BinaryOperator.NOT_EQUAL);
    comparison(kernels, "less_than", BinaryOperator.LESS);
    comparison(kernels, "less_equal", BinaryOperator.LESS_EQUAL);
    comparison(kernels, "greater_than", BinaryOperator.GREATER);
    comparison(kernels, "greater_equal", BinaryOperator.GREATER_EQUAL);
    kernels.lowered("equal_all", ComparisonLowerings::equalAll);
    logic(kernels, "logical_and", BinaryOperator.AND);
    logic(kernels, "logical_or", BinaryOperator.OR);
    logic(kernels, "logical_xor", BinaryOperator.XOR);
    kernels.lowered("logical_not", ComparisonLowerings::not);
    test(kernels, "isfinite", ComparisonLowerings::isFinite, Reduction.MINIMUM);
    test(kernels, "isinf", ComparisonLowerings::isInfinite, Reduction.MAXIMUM);
    test(kernels, "isnan", ComparisonLowerings::isNan, Reduction.MAXIMUM);
    kernels.differentiated("where", ComparisonLowerings::where);
  }

  private static void comparison(
      KernelRegistry.Builder kernels, String type, BinaryOperator operator) {
    kernels.lowered(type, lowering -> compare(lowering, operator));
  }

  private static void logic(KernelRegistry.Builder kernels, String type, BinaryOperator operator) {
    kernels.lowered(type, lowering -> logic(lowering, operator));
  }

  /**
   * Registers an operator that tests each element, and the older operator that tests all elements
   * at once.
   */
  private static void test(
      KernelRegistry.Builder kernels, String type, Condition condition, Reduction ofAll) {
    kernels.lowered(
        type + "_v2",
        lowering ->
            lowering.out("Out", condition.of(new Formula(lowering.graph()), lowering.in("X"))));
    kernels.lowered(type, lowering -> testAll(lowering, condition, ofAll));
  }

  private static void compare(LoweringCall lowering, BinaryOperator operator) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue y = lowering.in("Y");
    int axis = (int) lowering.call().integer("axis", -1);
    int along = Math.abs(f.rank(x) - f.rank(y));
    if (along > 0 && axis != -1 && axis != along) {
      throw new OperatorException("a comparison along axis " + axis);
    }
    Broadcast broadcast = Broadcast.of(f, x, y, axis);
    lowering.out("Out", compared(f, operator, broadcast.stretched(x), broadcast.stretched(y)));
  }

  private static MicroValue compared(
      Formula f, BinaryOperator operator, MicroValue x, MicroValue y) {
    boolean equality = operator == BinaryOperator.EQUAL || operator == BinaryOperator.NOT_EQUAL;
    if (!equality || !f.type(x).isFloating()) {
      return f.apply(operator, x, y);
    }
    MicroValue distance = f.apply(UnaryOperator.ABSOLUTE, f.minus(x, y));
    MicroValue equal =
        f.apply(BinaryOperator.LESS, f.graph().cast(ElementType.FLOAT64, distance), EQUAL_WITHIN);
    return operator == BinaryOperator.EQUAL ? equal : f.apply(UnaryOperator.NOT, equal);
  }

  private static void equalAll(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue y = lowering.in("Y");
    MicroValue all =
        lowering.call().shape("X").equals(lowering.call().shape("Y"))
            ? all(f, Reduction.MINIMUM, compared(f, BinaryOperator.EQUAL, x, y))
            : f.constant(ElementType.BOOL, 0, 1);
    lowering.out("Out", all);
  }

  private static void logic(LoweringCall lowering, BinaryOperator operator) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = truth(f, lowering.in("X"));
    MicroValue y = truth(f, lowering.in("Y"));
    // Paddle aligns the last axes, whatever the attribute axis is.
    Broadcast broadcast = Broadcast.of(f, x, y, /* axis= */ -1);
    lowering.out("Out", f.apply(operator, broadcast.stretched(x), broadcast.stretched(y)));
  }

  private static void not(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("Out", f.apply(UnaryOperator.NOT, truth(f, lowering.in("X"))));
  }

  private static MicroValue truth(Formula f, MicroValue x) {
    return f.type(x) == ElementType.BOOL ? x : f.graph().cast(ElementType.BOOL, x);
  }

  private static void testAll(LoweringCall lowering, Condition condition, Reduction ofAll) {
    Formula f = new Formula(lowering.graph());
    lowering.out("Out", all(f, ofAll, condition.of(f, lowering.in("X"))));
  }

  private static MicroValue all(Formula f, Reduction reduction, MicroValue x) {
    return f.reduceAway(reduction, x, Shapes.range(0, f.rank(x)));
  }

  private static MicroValue isNan(Formula f, MicroValue x) {
    return f.apply(BinaryOperator.NOT_EQUAL, x, x);
  }

  private static MicroValue isInfinite(Formula f, MicroValue x) {
    return f.type(x).isFloating()
        ? f.apply(
            BinaryOperator.EQUAL, f.apply(UnaryOperator.ABSOLUTE, x), Double.POSITIVE_INFINITY)
        : f.apply(BinaryOperator.NOT_EQUAL, x, x);
  }

  private static MicroValue isFinite(Formula f, MicroValue x) {
    return f.type(x).isFloating()
        ? f.apply(BinaryOperator.LESS, f.apply(UnaryOperator.ABSOLUTE, x), Double.POSITIVE_INFINITY)
        : f.apply(BinaryOperator.EQUAL, x, x);
  }

  private static void where(LoweringCall lowering) {
    lowering.out(
        "Out",
        lowering.graph().choose(lowering.in("Condition"), lowering.in("X"), lowering.in("Y")));
  }
}
