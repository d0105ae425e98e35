package dev.sublet.operator.spec;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.function.Predicate;

/**
 * A condition that restricts an in-place pair to calls for which runs of Paddle have shown that the
 * operator works in place.
 *
 * <p>For example, {@code cumsum} may work in place unless {@code exclusive} is set, because the
 * kernel then clears the output before it reads the input.
 *
 * @param text the condition in a few words, for {@code sublet ops}; empty if there is none
 * @param test whether a call meets the condition; the shapes of the call may be unknown
 */
public record InPlaceCondition(String text, Predicate<ShapeCall> test) {

  /** No condition: the two sides need only the same number of bytes. */
  static final InPlaceCondition NONE = new InPlaceCondition("", call -> true);

  /** The condition that no call meets. */
  public static InPlaceCondition never(String reason) {
    return new InPlaceCondition("never: " + reason, call -> false);
  }

  /** The condition that a boolean attribute is absent or false. */
  public static InPlaceCondition unless(String attribute) {
    return new InPlaceCondition(
        "unless " + attribute, call -> !call.flag(attribute, /* defaultValue= */ false));
  }

  /**
   * The condition that the extents of the second input, without trailing extents of 1, are
   * consecutive extents of the first input.
   *
   * <pre>{@code
   * X [2,3,4]   Y [3]    axis 1   yes
   * X [2,3,4]   Y [2,3,1]         yes
   * X [2,3,4]   Y [2,1,4]         no: Y broadcasts in the middle
   * }</pre>
   *
   * <p>Otherwise Paddle's CPU kernels for gradients of sums (CommonGradBroadcastCPU) clear dX
   * before they read dOut.
   */
  public static InPlaceCondition inOnePiece(String first, String second) {
    return new InPlaceCondition(
        second + " in one piece of " + first,
        call -> isOnePiece(call.in(first), call.in(second), call.integer("axis", -1)));
  }

  private static boolean isOnePiece(AbstractShape x, AbstractShape y, int givenAxis) {
    if (!x.hasRank() || !y.hasRank() || y.rank() > x.rank()) {
      return false;
    }
    int axis = givenAxis < 0 ? x.rank() - y.rank() : givenAxis;
    int rank = y.rank();
    while (rank > 0 && isOne(y.dim(rank - 1))) {
      rank--;
    }
    for (int i = 0; i < rank; i++) {
      if (axis + i >= x.rank() || !x.dim(axis + i).isSame(y.dim(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOne(SymbolicExtent extent) {
    return extent.isConstant() && extent.is(1);
  }

  /** Whether a call meets the condition; false if its shapes are not known well enough. */
  boolean holds(ShapeCall call) {
    try {
      return test.test(call);
    } catch (UnknownShapeException | ShapeMismatchException e) {
      return false;
    }
  }
}
