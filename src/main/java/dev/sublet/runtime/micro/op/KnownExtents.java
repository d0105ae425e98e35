package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.Requirement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Rewrites extents in terms of the tensors that a program declares, when some tensors of the
 * original graph are missing.
 *
 * <p>The gradient of {@code y = exp(x)} reads y but not x: its loops end at {@code d(y, 0)}, which
 * is known because y's shape was {@code d(x, 0)}. An expression is known if it is the extent of a
 * declared tensor, if all its parts are known, or if an expression that is required to be equal is
 * known. Equations are not solved: {@code d(x, 0)} stays unknown if only {@code d(x, 0) + 1} is an
 * extent.
 */
final class KnownExtents {

  private final ImmutableList<Requirement> requirements;
  private final Map<IndexExpression, IndexExpression> known = new HashMap<>();

  KnownExtents(ImmutableList<Requirement> requirements) {
    this.requirements = requireNonNull(requirements, "requirements");
  }

  /**
   * Adds a tensor that the caller gives. An extent that was known before keeps its earlier
   * expression.
   */
  void declare(String name, ImmutableList<IndexExpression> shape) {
    for (int axis = 0; axis < shape.size(); axis++) {
      AxisSize own = new AxisSize(name, axis);
      IndexExpression extent = shape.get(axis);
      if (!extent.equals(own) && find(extent).isEmpty()) {
        known.put(extent, own);
      }
      known.put(own, own);
    }
  }

  /**
   * Returns an equal expression over the declared tensors, if there is one. O(size × requirements).
   */
  Optional<IndexExpression> find(IndexExpression expression) {
    return find(expression, new HashMap<>());
  }

  /** Returns the first unknown extent in an expression; empty if the expression is known. */
  Optional<AxisSize> unknown(IndexExpression expression) {
    if (find(expression).isPresent()) {
      return Optional.empty();
    }
    if (expression instanceof Negation negation) {
      return unknown(negation.operand());
    }
    if (expression instanceof Arithmetic arithmetic) {
      return unknown(arithmetic.left()).or(() -> unknown(arithmetic.right()));
    }
    if (expression instanceof AxisSize size) {
      return Optional.of(size);
    }
    throw new IllegalArgumentException("an extent or index cannot be " + expression);
  }

  /**
   * Does the same.
   *
   * @param found the results so far. An expression counts as unknown while it is looked up, so that
   *     requirements that refer to each other end the search; a result that depends on it may then
   *     be missed
   */
  private Optional<IndexExpression> find(
      IndexExpression expression, Map<IndexExpression, Optional<IndexExpression>> found) {
    if (expression instanceof IndexExpression.Constant
        || expression instanceof IndexExpression.Parameter
        || expression instanceof IndexExpression.LoopIndex) {
      return Optional.of(expression);
    }
    if (known.containsKey(expression)) {
      return Optional.ofNullable(known.get(expression));
    }
    Optional<IndexExpression> earlier = found.putIfAbsent(expression, Optional.empty());
    if (earlier != null) {
      return earlier;
    }
    Optional<IndexExpression> byParts = findParts(expression, found);
    Optional<IndexExpression> result = byParts.isPresent() ? byParts : findEqual(expression, found);
    found.put(expression, result);
    return result;
  }

  private Optional<IndexExpression> findParts(
      IndexExpression expression, Map<IndexExpression, Optional<IndexExpression>> found) {
    if (expression instanceof Negation negation) {
      return find(negation.operand(), found).map(Negation::new);
    }
    if (expression instanceof Arithmetic arithmetic) {
      Optional<IndexExpression> left = find(arithmetic.left(), found);
      Optional<IndexExpression> right = find(arithmetic.right(), found);
      return left.isPresent() && right.isPresent()
          ? Optional.of(new Arithmetic(arithmetic.operator(), left.get(), right.get()))
          : Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<IndexExpression> findEqual(
      IndexExpression expression, Map<IndexExpression, Optional<IndexExpression>> found) {
    for (Requirement requirement : requirements) {
      Optional<IndexExpression> other = Optional.empty();
      if (requirement.left().equals(expression)) {
        other = find(requirement.right(), found);
      } else if (requirement.right().equals(expression)) {
        other = find(requirement.left(), found);
      }
      if (other.isPresent()) {
        return other;
      }
    }
    return Optional.empty();
  }
}
