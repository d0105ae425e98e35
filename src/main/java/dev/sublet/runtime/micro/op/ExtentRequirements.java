package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Requirement;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The pairs of extents that must be equal when a graph runs, in the order in which they were found.
 */
final class ExtentRequirements {

  private final Set<Requirement> requirements = new LinkedHashSet<>();

  /** Returns all requirements. */
  ImmutableList<Requirement> all() {
    return ImmutableList.copyOf(requirements);
  }

  /**
   * Requires two extents to be equal.
   *
   * @throws IllegalArgumentException if both are numbers and differ
   */
  void equal(IndexExpression left, IndexExpression right) {
    if (!left.equals(right)) {
      checkArgument(
          !(left instanceof IndexExpression.Constant && right instanceof IndexExpression.Constant),
          "extents %s and %s differ",
          left,
          right);
      requirements.add(new Requirement(left, right));
    }
  }

  /**
   * Requires two shapes to be equal, unless one of them has rank 0 and broadcasts.
   *
   * @return the shape of the elementwise result
   * @throws IllegalArgumentException if the ranks differ, or two extents are different numbers
   */
  ImmutableList<IndexExpression> common(
      ImmutableList<IndexExpression> left, ImmutableList<IndexExpression> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return left.isEmpty() ? right : left;
    }
    checkArgument(left.size() == right.size(), "ranks %s and %s differ", left.size(), right.size());
    for (int axis = 0; axis < left.size(); axis++) {
      equal(left.get(axis), right.get(axis));
    }
    return left;
  }
}
