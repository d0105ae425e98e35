package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Requirement;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which extents a graph's run must find equal, in the order in which that turned out. */
final class ExtentRequirements {

  private final Set<Requirement> requirements = new LinkedHashSet<>();

  /** All of them. */
  ImmutableList<Requirement> all() {
    return ImmutableList.copyOf(requirements);
  }

  /**
   * Requires two extents to be equal.
   *
   * @throws IllegalArgumentException if they are different numbers
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
   * Requires two shapes to be equal, of which one may have no axes: a scalar meets every tensor.
   *
   * @return the shape of what is computed from both
   * @throws IllegalArgumentException if they differ in rank, or have different numbers
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
