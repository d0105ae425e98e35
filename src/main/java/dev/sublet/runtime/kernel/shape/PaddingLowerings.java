package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.modulo;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.op.MicroValue;

/** Operators that add a border to a tensor: of one number, or of elements of the tensor. */
public final class PaddingLowerings {

  private PaddingLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("pad", PaddingLowerings::pad);
    kernels.differentiated("pad2d", PaddingLowerings::pad2d);
    kernels.differentiated("pad3d", PaddingLowerings::pad3d);
    kernels.lowered("pad_constant_like", PaddingLowerings::padConstantLike);
    kernels.lowered("pad_constant_like_grad", PaddingLowerings::padConstantLikeGradient);
    kernels.lowered("pad_grad", PaddingLowerings::padGradient);
  }

  private static void pad(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    long[] paddings = paddings(call, f.rank(x));
    long[] before = new long[f.rank(x)];
    long[] after = new long[f.rank(x)];
    for (int axis = 0; axis < before.length; axis++) {
      before[axis] = paddings[2 * axis];
      after[axis] = paddings[2 * axis + 1];
    }
    double value = call.real("pad_value", 0);
    lowering.out("Out", padded(f, x, before, after, "constant", value));
  }

  /** Lowers the gradient of {@code pad}: the part inside the border. */
  private static void padGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue gradient = lowering.in("Out@GRAD");
    long[] paddings = paddings(lowering.call(), f.rank(gradient));
    long[] shape = f.shape(gradient).clone();
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] -= paddings[2 * axis] + paddings[2 * axis + 1];
      at[axis] = plus(loop(axis), paddings[2 * axis]);
    }
    lowering.out("X@GRAD", f.reindex(gradient, shape, at));
  }

  /** Lowers {@code pad2d}, whose paddings are {@code top, bottom, left, right}. */
  private static void pad2d(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    Shapes.ofRank(4, f.shape(x), "X");
    long[] paddings = paddings(call, 2);
    int height = call.text("data_format", "NCHW").equals("NHWC") ? 1 : 2;
    long[] before = new long[4];
    long[] after = new long[4];
    for (int i = 0; i < 2; i++) {
      before[height + i] = paddings[2 * i];
      after[height + i] = paddings[2 * i + 1];
    }
    String mode = call.text("mode", "constant");
    lowering.out("Out", padded(f, x, before, after, mode, call.real("pad_value", 0)));
  }

  /** Lowers {@code pad3d}, whose paddings are {@code left, right, top, bottom, front, back}. */
  private static void pad3d(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    Shapes.ofRank(5, f.shape(x), "X");
    long[] paddings = paddings(call, 3);
    int width = call.text("data_format", "NCDHW").equals("NDHWC") ? 3 : 4;
    long[] before = new long[5];
    long[] after = new long[5];
    for (int i = 0; i < 3; i++) {
      before[width - i] = paddings[2 * i];
      after[width - i] = paddings[2 * i + 1];
    }
    String mode = call.text("mode", "constant");
    lowering.out("Out", padded(f, x, before, after, mode, call.real("value", 0)));
  }

  /** Returns two paddings per axis. */
  private static long[] paddings(OperatorCall call, int axes) {
    long[] paddings = IntegerArguments.of(call, "paddings", "Paddings");
    return IntegerArguments.exactly(2 * axes, paddings, "paddings");
  }

  /** Lowers {@code pad_constant_like}: Y at the origin of a tensor in the shape of X. */
  private static void padConstantLike(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    long[] shape = lowering.call().shape("X").toArray();
    MicroValue y = lowering.in("Y");
    Shapes.ofRank(shape.length, f.shape(y), "Y");
    long[] after = new long[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      after[axis] = shape[axis] - f.shape(y)[axis];
    }
    double value = lowering.call().real("pad_value", 0);
    lowering.out("Out", padded(f, y, new long[shape.length], after, "constant", value));
  }

  /** Lowers the gradient of {@code pad_constant_like}: the corner in which Y was. */
  private static void padConstantLikeGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    long[] shape = lowering.call().shape("Y").toArray();
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      at[axis] = loop(axis);
    }
    lowering.out("Y@GRAD", f.reindex(lowering.in("Out@GRAD"), shape, at));
  }

  /**
   * Returns x with a border.
   *
   * @param before the number of elements that each axis gains before its first element; negative if
   *     it loses elements
   * @param after the same after the last element
   * @param mode constant, edge, replicate, reflect or circular
   * @param value the elements of a constant border
   */
  public static MicroValue padded(
      Formula f, MicroValue x, long[] before, long[] after, String mode, double value) {
    long[] shape = f.shape(x).clone();
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      long extent = shape[axis];
      IndexExpression inside = plus(loop(axis), -before[axis]);
      shape[axis] += before[axis] + after[axis];
      boolean grows = before[axis] != 0 || after[axis] != 0;
      if (!mode.equals("constant") && Math.min(before[axis], after[axis]) <= -extent) {
        throw new OperatorException(
            "paddings of " + before[axis] + " and " + after[axis] + " that leave nothing of X");
      }
      if (mode.equals("reflect") && Math.max(before[axis], after[axis]) >= extent) {
        // Paddle reads other memory there.
        throw new OperatorException(
            "paddings of " + before[axis] + " and " + after[axis] + " that reflect all of X");
      }
      // No index is further from the first or the last element, whatever the signs.
      long bound = extent + Math.abs(before[axis]) + Math.abs(after[axis]);
      at[axis] = grows ? bordered(inside, extent, mode, bound) : inside;
    }
    return f.graph().reindex(x, Shapes.constants(shape), ImmutableList.copyOf(at), value);
  }

  /** Returns the source index of an element, inside or in the border. */
  private static IndexExpression bordered(
      IndexExpression index, long extent, String mode, long bound) {
    return switch (mode) {
      case "constant" -> index;
      case "edge", "replicate" -> clamped(index, extent, bound);
      case "reflect" -> reflected(index, extent, bound);
      case "circular" -> modulo(index, extent);
      default -> throw new OperatorException("padding of mode " + mode);
    };
  }

  /** Returns |index|, for indices between minus and plus the bound. */
  private static IndexExpression absolute(IndexExpression index, long bound) {
    // The quotient is -1 for negative indices, else 0.
    IndexExpression sign = plus(times(over(index, bound + 1), 2), 1);
    return new Arithmetic(Operator.MULTIPLY, index, sign);
  }

  private static IndexExpression positivePart(IndexExpression index, long bound) {
    return over(plus(index, absolute(index, bound)), 2);
  }

  private static IndexExpression minus(long left, IndexExpression right) {
    return new Arithmetic(Operator.SUBTRACT, number(left), right);
  }

  private static IndexExpression clamped(IndexExpression index, long extent, long bound) {
    IndexExpression raised = positivePart(index, bound);
    return minus(extent - 1, positivePart(minus(extent - 1, raised), bound));
  }

  /** Returns an index mirrored at the first and the last element, which are not repeated. */
  private static IndexExpression reflected(IndexExpression index, long extent, long bound) {
    IndexExpression raised = absolute(index, bound);
    return minus(extent - 1, absolute(minus(extent - 1, raised), bound));
  }
}
