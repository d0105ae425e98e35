package dev.sublet.runtime.kernel.reduction;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;

/** Norms of vectors and of whole tensors, and vectors scaled to length 1. */
public final class NormLowerings {

  private NormLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("norm", NormLowerings::norm);
    kernels.differentiated("p_norm", NormLowerings::pNorm);
    kernels.differentiated("squared_l2_norm", NormLowerings::squaredNorm);
  }

  /**
   * Lowers {@code norm}: {@code Norm} is the length of the vectors along an axis; {@code Out} are
   * the vectors scaled to length 1.
   */
  private static void norm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    int axis = Shapes.axis(call.integer("axis", -1), f.rank(x));
    MicroValue sum = f.reduce(Reduction.SUM, f.square(x), axis);
    MicroValue length = f.sqrt(f.plus(sum, call.real("epsilon", 1e-10)));
    lowering.out("Norm", length);
    lowering.out("Out", f.over(x, f.stretch(length, f.shape(x))));
  }

  /**
   * Lowers {@code p_norm}: {@code Out} are the p-norms of the vectors along an axis, or of all
   * elements as one vector.
   */
  private static void pNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    boolean asVector = call.flag("asvector", false);
    int[] axes =
        asVector
            ? Shapes.range(0, f.rank(x))
            : new int[] {Shapes.axis(call.integer("axis", -1), f.rank(x))};
    MicroValue size = f.apply(UnaryOperator.ABSOLUTE, x);
    double order = call.real("porder", 2);
    MicroValue norm;
    if (order == Double.POSITIVE_INFINITY) {
      norm = f.reduce(Reduction.MAXIMUM, size, axes);
    } else if (order == Double.NEGATIVE_INFINITY) {
      norm = f.reduce(Reduction.MINIMUM, size, axes);
    } else if (order == 0) {
      MicroValue isThere = f.apply(BinaryOperator.NOT_EQUAL, x, 0);
      norm = f.reduce(Reduction.SUM, f.graph().cast(f.type(x), isThere), axes);
    } else if (order == 2) {
      norm = f.sqrt(f.reduce(Reduction.SUM, f.square(x), axes));
    } else {
      MicroValue powers = f.apply(BinaryOperator.POWER, size, order);
      norm = f.apply(BinaryOperator.POWER, f.reduce(Reduction.SUM, powers, axes), 1 / order);
    }
    long[] shape = f.shape(norm);
    if (!call.flag("keepdim", false)) {
      shape = Shapes.without(shape, axes);
    }
    lowering.out("Out", f.reshape(norm, shape.length == 0 ? new long[] {1} : shape));
  }

  /** Lowers {@code squared_l2_norm}: {@code Out} is the sum of squares. */
  private static void squaredNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    lowering.out(
        "Out", f.reshape(f.reduce(Reduction.SUM, f.square(x), Shapes.range(0, f.rank(x))), 1));
  }
}
