package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;

/**
 * The limits of the numbers of a loop, which follow from the condition under which another
 * iteration follows.
 *
 * <pre>
 *   i = 0; k = 5; while c { i = i + 2; k = k + 1; c = less_than(i 10) }
 *
 *   another iteration follows if i is at most 9, so after at most 4 iterations; k is then at most 9
 * </pre>
 *
 * <p>Source: linear induction variables (Allen, Cocke, Kennedy 1981), on the formulas of {@link
 * ExtentExpressions}. Immutable.
 */
public final class LoopLimits {

  private final ImmutableList<ConditionalBound> bounds;

  /** The most iterations after which another one follows; infinite if unknown. */
  private final double iterations;

  private LoopLimits(ImmutableList<ConditionalBound> bounds, double iterations) {
    this.bounds = bounds;
    this.iterations = iterations;
  }

  /** The limits that a loop's condition, the result of a test at the end of the body, implies. */
  public static LoopLimits of(SymbolicExtent condition) {
    return new LoopLimits(condition.implied(), Double.POSITIVE_INFINITY);
  }

  /** Whether the condition bounds no number. */
  public boolean isEmpty() {
    return bounds.isEmpty();
  }

  /**
   * These limits, together with the number of iterations that follows from one counter, if the
   * condition bounds it and each iteration adds a positive constant. O(bounds).
   *
   * @param entry the shape of the counter before the loop
   * @param head its shape at the beginning of the body
   * @param end its shape at the end of the body
   */
  public LoopLimits with(AbstractShape entry, AbstractShape head, AbstractShape end) {
    boolean isOne = isNumber(entry) && isNumber(head) && isNumber(end);
    return isOne
        ? with(entry.elements().get(0), head.elements().get(0), end.elements().get(0))
        : this;
  }

  private static boolean isNumber(AbstractShape tensor) {
    return tensor.hasElements() && tensor.elements().size() == 1;
  }

  private LoopLimits with(SymbolicExtent entry, SymbolicExtent head, SymbolicExtent end) {
    double bound = ConditionalBound.find(bounds, end.formula());
    double step = end.distanceFrom(head);
    if (!entry.isKnownNotNegative() || !end.isKnownNotNegative() || !(step > 0)) {
      return this;
    }
    double least = entry.isExact() ? entry.value() : 0;
    double most = Math.max(0, Math.floor((bound - least) / step));
    return most < iterations ? new LoopLimits(bounds, most) : this;
  }

  /**
   * A number at the end of the body, if another iteration follows. The result has the largest bound
   * that holds after any iteration, even if the number is smaller after this one. So the fixpoint
   * of the loop is reached at once. O(bounds).
   *
   * @param entry the number before the loop
   * @param head the number at the beginning of the body
   * @param end the number at the end of the body
   */
  SymbolicExtent limit(SymbolicExtent entry, SymbolicExtent head, SymbolicExtent end) {
    if (end.isSame(head) || !end.isKnownNotNegative()) {
      return end;
    }
    double bound = ConditionalBound.find(bounds, end.formula());
    double step = end.distanceFrom(head);
    if (step > 0 && entry.isKnownNotNegative() && iterations < Double.POSITIVE_INFINITY) {
      double last = entry.value() + iterations * step;
      bound = bound <= last ? bound : last;
    }
    return Double.isNaN(bound) ? end : end.atMost(Math.max(bound, 0));
  }
}
