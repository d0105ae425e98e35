package dev.sublet.runtime.micro.run.bind;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A nest of sums of products, such as a matrix product or a convolution:
 *
 * <pre>
 * for batch, lanes, rows:      in any order
 *   carry c0 = sum float32
 *   for points:
 *     c0 &lt;&lt; x[batch, lanes, points] * w[batch, rows, points]
 *   y[batch, lanes, rows] = f(c0)
 * </pre>
 *
 * <p>Each element of y is written once, and the nest reads no tensor that it writes. Therefore the
 * outer loops may run in any order. The points of one sum are added in their original order.
 *
 * @param depth the depth of the innermost outer loop, which has the sum as its carried variable
 * @param sum the carried variable's number
 * @param panel the factor that depends on the lanes, x
 * @param factor the other factor, w
 * @param batches the outer loops on which both factors depend, or neither
 * @param lanes the outer loops on which only the panel depends; at least one
 * @param rows the outer loops on which only the other factor depends
 * @param points the inner loops, over the terms of a sum
 */
public record ProductForm(
    int depth,
    int sum,
    Operand panel,
    Operand factor,
    LoopGroup batches,
    LoopGroup lanes,
    LoopGroup rows,
    LoopGroup points) {

  /**
   * One factor of the product.
   *
   * @param access the access that loads the factor
   * @param outside the factor's value out of bounds
   */
  public record Operand(BoundAccess access, float outside) {

    /** Returns the position in the tensor's array, valid where the access is in bounds. */
    public Affine place(BoundNest nest) {
      return requireNonNull(access.flat(nest.loops()));
    }

    /** Returns the axes along which the access may be out of bounds. */
    public List<BoundAccess.Axis> checkedAxes(BoundNest nest) {
      List<BoundAccess.Axis> checked = new ArrayList<>();
      for (BoundAccess.Axis axis : access.axes()) {
        if (!isInside(nest, axis)) {
          checked.add(axis);
        }
      }
      return checked;
    }
  }

  /** The least number of lanes for which a panel is worthwhile. */
  private static final long FEWEST_LANES = 4;

  /**
   * The number of lanes from which the factor that depends on the innermost loop is preferred as
   * the panel.
   */
  private static final long ENOUGH_LANES = 32;

  /** The estimated nanoseconds per multiplication. */
  private static final double PRODUCT = 0.08;

  /** Returns the estimated nanoseconds of a run. */
  public double nanos() {
    return PRODUCT * batches.count() * lanes.count() * rows.count() * points.count();
  }

  /** Returns the product form of a nest, or null if it has none. O(loops² + accesses · loops). */
  public static @Nullable ProductForm find(BoundNest nest, NestSurvey survey) {
    ImmutableList<ProductForm> forms = findAll(nest, survey);
    return forms.isEmpty() ? null : forms.get(0);
  }

  /**
   * Returns the product forms of a nest, the preferred one first: with either factor as the panel.
   * O(loops² + accesses · loops).
   */
  public static ImmutableList<ProductForm> findAll(BoundNest nest, NestSurvey survey) {
    int depth = depthOfOnlySum(nest);
    if (depth < 0 || !runsFromZero(nest) || !writesOnce(nest, survey, depth)) {
      return ImmutableList.of();
    }
    Statement statement = nest.loop(nest.loops() - 1).statements().get(0);
    if (!(statement instanceof Statement.Fold fold)
        || !(fold.value() instanceof Expression.Binary product)
        || product.operator() != BinaryOperator.MULTIPLY
        || !(product.left() instanceof Expression.Load left)
        || !(product.right() instanceof Expression.Load right)) {
      return ImmutableList.of();
    }
    ProductForm one = of(nest, depth, fold.carried(), left, right);
    ProductForm other = of(nest, depth, fold.carried(), right, left);
    if (one != null && other != null) {
      return other.isBetterThan(one) ? ImmutableList.of(other, one) : ImmutableList.of(one, other);
    }
    ProductForm only = one != null ? one : other;
    return only == null ? ImmutableList.of() : ImmutableList.of(only);
  }

  /**
   * Returns the depth of the loop with the only carried variable, a FLOAT32 sum; -1 unless all
   * statements are those of this loop and exactly one in the innermost loop.
   */
  private static int depthOfOnlySum(BoundNest nest) {
    int found = -1;
    int innermost = nest.loops() - 1;
    for (int depth = 0; depth <= innermost; depth++) {
      Loop loop = nest.loop(depth);
      if (!loop.carried().isEmpty()) {
        CarriedVariable variable = loop.carried().get(0);
        boolean isSum =
            variable.operator() == ReduceOperator.SUM && variable.type() == ElementType.FLOAT32;
        if (found >= 0 || loop.carried().size() > 1 || !isSum || depth == innermost) {
          return -1;
        }
        found = depth;
      }
      int expected = depth == innermost ? 1 : depth == found ? loop.statements().size() : 0;
      if (loop.statements().size() != expected) {
        return -1;
      }
    }
    return found;
  }

  private static boolean runsFromZero(BoundNest nest) {
    for (int depth = 0; depth < nest.loops(); depth++) {
      Long iterations = nest.iterations(depth);
      Affine start = nest.start(depth);
      if (iterations == null || start == null) {
        return false;
      }
      if (iterations != 1 && !start.equals(Affine.constant(0, nest.loops()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether iterations of the outer loops write different elements, and the nest reads no tensor
   * that it writes.
   */
  private static boolean writesOnce(BoundNest nest, NestSurvey survey, int depth) {
    int targets = 0;
    for (AccessSite site : survey.accesses()) {
      if (!site.target()) {
        if (survey.written().contains(site.access().tensor())) {
          return false;
        }
        continue;
      }
      targets++;
      if (!isInside(nest, site.access()) || !tellsApart(nest, site.access(), depth)) {
        return false;
      }
    }
    for (Statement statement : nest.loop(depth).statements()) {
      if (!(statement instanceof Statement.Assignment)) {
        return false;
      }
    }
    return targets == survey.written().size();
  }

  private static boolean isInside(BoundNest nest, BoundAccess access) {
    for (BoundAccess.Axis axis : access.axes()) {
      if (!isInside(nest, axis)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an index is never out of bounds. */
  private static boolean isInside(BoundNest nest, BoundAccess.Axis axis) {
    IndexRange range = axis.affine() == null ? null : nest.range(axis.affine());
    return range != null && range.isInside(axis.extent());
  }

  /**
   * Whether distinct iterations of the loops up to a depth access distinct positions. Sufficient
   * condition: with the loops ordered by stride, each stride exceeds the total reach of all smaller
   * ones.
   */
  private static boolean tellsApart(BoundNest nest, BoundAccess access, int depth) {
    Affine place = requireNonNull(access.flat(nest.loops()));
    List<Integer> moving = new ArrayList<>();
    for (int d = 0; d <= depth; d++) {
      if (requireNonNull(nest.iterations(d)) > 1) {
        moving.add(d);
      }
    }
    moving.sort(Comparator.comparingLong(d -> Math.abs(place.coefficient(d))));
    long reach = 0;
    for (int d : moving) {
      long move = Math.abs(place.coefficient(d));
      if (move <= reach) {
        return false;
      }
      reach += move * (requireNonNull(nest.iterations(d)) - 1);
    }
    return true;
  }

  private static @Nullable ProductForm of(
      BoundNest nest, int depth, int sum, Expression.Load panel, Expression.Load factor) {
    BoundAccess x = nest.access(panel.access());
    BoundAccess w = nest.access(factor.access());
    if (!isUsable(nest, x) || !isUsable(nest, w)) {
      return null;
    }
    List<Integer> batches = new ArrayList<>();
    List<Integer> lanes = new ArrayList<>();
    List<Integer> rows = new ArrayList<>();
    List<Integer> points = new ArrayList<>();
    for (int d = 0; d < nest.loops(); d++) {
      List<Integer> group = x.mentions(d) && !w.mentions(d) ? lanes : batches;
      group = w.mentions(d) && !x.mentions(d) ? rows : group;
      (d > depth ? points : group).add(d);
    }
    LoopGroup laneLoops = new LoopGroup(nest, lanes);
    if (laneLoops.count() < FEWEST_LANES) {
      return null;
    }
    return new ProductForm(
        depth,
        sum,
        new Operand(x, (float) panel.outside()),
        new Operand(w, (float) factor.outside()),
        new LoopGroup(nest, batches),
        laneLoops,
        new LoopGroup(nest, rows),
        new LoopGroup(nest, points));
  }

  /**
   * Whether an access is known to be in bounds, or so close to its bounds that no index wraps
   * around.
   */
  private static boolean isUsable(BoundNest nest, BoundAccess access) {
    if (!access.checked()) {
      return isInside(nest, access);
    }
    for (BoundAccess.Axis axis : access.axes()) {
      IndexRange range = axis.affine() == null ? null : nest.range(axis.affine());
      if (range == null
          || !VectorizationPlan.isSmall(range.low())
          || !VectorizationPlan.isSmall(range.high())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether this form is preferred: the form with the innermost lane loop, whose lanes are more
   * likely contiguous, if it has many lanes; otherwise the form with more lanes.
   */
  private boolean isBetterThan(ProductForm that) {
    boolean isInner = lanes.innermost() > that.lanes.innermost();
    if ((isInner ? lanes : that.lanes).count() >= ENOUGH_LANES) {
      return isInner;
    }
    return lanes.count() > that.lanes.count();
  }
}
