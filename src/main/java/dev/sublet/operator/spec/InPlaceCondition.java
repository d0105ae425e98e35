package dev.sublet.operator.spec;

import static java.util.Objects.requireNonNull;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.function.Predicate;

/**
 * Restricts an in-place pair to calls for which runs of Paddle have shown that it works.
 *
 * <p>{@code cumsum}, for example, may work in place unless {@code exclusive} is set: then the
 * kernel clears the output before it reads the input.
 *
 * @param text the condition in a few words, for {@code sublet ops}; empty if there is none
 * @param test whether a call meets it; called with shapes that may be unknown
 */
public record InPlaceCondition(String text, Predicate<ShapeCall> test) {

  /** Equally many bytes are enough. */
  static final InPlaceCondition NONE = new InPlaceCondition("", call -> true);

  public InPlaceCondition {
    requireNonNull(text, "text");
    requireNonNull(test, "test");
  }

  /** No call may work in place. */
  public static InPlaceCondition never(String reason) {
    return new InPlaceCondition("never: " + reason, call -> false);
  }

  /** A boolean attribute must not be set; it is not if it is absent. */
  public static InPlaceCondition unless(String attribute) {
    return new InPlaceCondition(
        "unless " + attribute, call -> !call.flag(attribute, /* defaultValue= */ false));
  }

  /**
   * The second input, ones at its end aside, stands in the first as one piece.
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
