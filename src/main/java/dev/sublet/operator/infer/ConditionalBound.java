package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.sublet.operator.infer.ExtentExpressions.ExtentFormula;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A bound that a number has if a condition holds.
 *
 * <pre>
 *   c = less_than(i, n), n at most 10     if c holds, i is at most 9
 * </pre>
 *
 * @param formula the formula of the number
 * @param most the bound
 */
record ConditionalBound(ExtentFormula formula, double most) {

  /** The numbers that one condition bounds at most; the bounds of others are dropped. */
  private static final int MOST = 16;

  /** The magnitude from which doubles no longer represent every whole number. */
  private static final double MAX_WHOLE = 0x1p53;

  /** Returns the bounds that two whole numbers have if a test of them holds. O({@link #MOST}). */
  static ImmutableList<ConditionalBound> of(
      String test, SymbolicExtent left, SymbolicExtent right) {
    return switch (test) {
      case "less_than" -> atMost(left, right, /* gap= */ 1);
      case "less_equal" -> atMost(left, right, /* gap= */ 0);
      case "greater_than" -> atMost(right, left, /* gap= */ 1);
      case "greater_equal" -> atMost(right, left, /* gap= */ 0);
      case "equal" -> join(atMost(left, right, /* gap= */ 0), atMost(right, left, /* gap= */ 0));
      case "and" -> join(left.implied(), right.implied());
      default -> ImmutableList.of();
    };
  }

  private static ImmutableList<ConditionalBound> atMost(
      SymbolicExtent small, SymbolicExtent large, int gap) {
    boolean isBounded = large.isKnown() && Math.abs(large.value()) < MAX_WHOLE;
    return isBounded
        ? ImmutableList.of(new ConditionalBound(small.formula(), large.value() - gap))
        : ImmutableList.of();
  }

  /** Keeps the least bound of each number, of the first {@link #MOST} numbers. */
  private static ImmutableList<ConditionalBound> join(
      ImmutableList<ConditionalBound> left, ImmutableList<ConditionalBound> right) {
    Map<ExtentFormula, Double> least = new LinkedHashMap<>();
    for (ConditionalBound bound : Iterables.concat(left, right)) {
      if (least.size() < MOST || least.containsKey(bound.formula)) {
        least.merge(bound.formula, bound.most, Math::min);
      }
    }
    ImmutableList.Builder<ConditionalBound> joined = ImmutableList.builder();
    least.forEach((formula, most) -> joined.add(new ConditionalBound(formula, most)));
    return joined.build();
  }

  /** Returns the least bound of a number; NaN if there is none. O(bounds). */
  static double find(ImmutableList<ConditionalBound> bounds, ExtentFormula formula) {
    double least = Double.NaN;
    for (ConditionalBound bound : bounds) {
      if (bound.formula.equals(formula) && !(least <= bound.most)) {
        least = bound.most;
      }
    }
    return least;
  }
}
