package dev.sublet.runtime.micro.run.bind;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.run.bind.NestSurvey.CarriedSite;
import org.jspecify.annotations.Nullable;

/**
 * The lane loop of a nest and its strip length. The lane loop runs a strip of iterations at a time:
 * each statement runs for all iterations of the strip before the next statement runs.
 *
 * <p>This changes the order of statements of different iterations, and the order of the inner
 * loops. The results are bitwise equal if
 *
 * <ul>
 *   <li>the bounds of inner loops do not depend on the lane;
 *   <li>lanes do not interfere in any written tensor. Either along one axis all accesses to the
 *       tensor have the same index, which depends on the lane and on no inner loop. Or there is
 *       only one access to the tensor, a write that runs lane by lane, and each element determines
 *       the iterations of the inner loops;
 *   <li>at most one statement, in the lane loop itself, folds into a carried variable of an outer
 *       loop, and then neither the lane loop nor an inner loop reads the variable.
 * </ul>
 *
 * <p>Among the loops that satisfy these conditions, {@link #of} chooses the one with the least
 * estimated time, and the innermost of equal ones. If there is none, the innermost loop runs in
 * strips of one iteration.
 *
 * @param depth the depth of the lane loop
 * @param strip the most iterations per strip
 */
public record VectorizationPlan(int depth, int strip) {

  /** The number of lanes in a scratch array. */
  public static final int LANES = 256;

  /** The estimated nanoseconds to start one operation on a strip. */
  private static final double START = 12;

  /**
   * The estimated nanoseconds per lane of an operation on contiguous elements; the next two
   * constants are for strided and for scattered elements.
   */
  private static final double LANE = 0.2;

  private static final double STRIDED_LANE = 1.2;
  private static final double SCATTERED_LANE = 4;

  /** The bound on a coefficient for which {@code index + lane * coefficient} cannot wrap around. */
  private static final long MAX_COEFFICIENT = 1L << 40;

  /** A strategy for choosing the lane loop. */
  public interface Chooser {

    /** Returns a loop that {@link #isAllowed} permits, or strips of one iteration. */
    VectorizationPlan choose(BoundNest nest, NestSurvey survey);
  }

  /** Returns the plan with the least estimated time. O(loops × accesses²). */
  public static VectorizationPlan of(BoundNest nest, NestSurvey survey) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int depth = nest.loops() - 1; depth >= 0; depth--) {
      if (isAllowed(nest, survey, depth)) {
        double time = time(nest, survey, depth);
        if (time < least) {
          best = depth;
          least = time;
        }
      }
    }
    return best >= 0
        ? new VectorizationPlan(best, LANES)
        : new VectorizationPlan(nest.loops() - 1, 1);
  }

  /**
   * Whether running a loop in strips gives bitwise the same results as the plain loops. O(loops ×
   * accesses²).
   */
  public static boolean isAllowed(BoundNest nest, NestSurvey survey, int lane) {
    for (int depth = lane + 1; depth < nest.loops(); depth++) {
      if (!isFixed(nest, nest.start(depth), nest.loop(depth).start(), lane)
          || !isFixed(nest, nest.end(depth), nest.loop(depth).end(), lane)) {
        return false;
      }
    }
    for (String tensor : survey.written()) {
      if (!isApart(survey, tensor, lane) && !isWrittenInOrder(nest, survey, tensor, lane)) {
        return false;
      }
    }
    return foldsInOrder(survey, lane);
  }

  /** Whether a loop's start or end is the same for all lanes. */
  private static boolean isFixed(
      BoundNest nest, @Nullable Affine bound, IndexExpression expression, int lane) {
    return bound != null ? bound.coefficient(lane) == 0 : isFixed(nest, expression, lane);
  }

  private static boolean isFixed(BoundNest nest, IndexExpression expression, int lane) {
    Affine affine = nest.affine(expression);
    if (affine != null) {
      return affine.coefficient(lane) == 0;
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return isFixed(nest, negation.operand(), lane);
    }
    return expression instanceof IndexExpression.Arithmetic arithmetic
        && isFixed(nest, arithmetic.left(), lane)
        && isFixed(nest, arithmetic.right(), lane);
  }

  /** Whether different lanes never access the same element of a tensor. */
  private static boolean isApart(NestSurvey survey, String tensor, int lane) {
    BoundAccess first = null;
    for (AccessSite site : survey.accesses()) {
      if (site.depth() >= lane && site.access().tensor().equals(tensor)) {
        first = site.access();
        break;
      }
    }
    if (first == null) {
      return true;
    }
    for (int axis = 0; axis < first.axes().size(); axis++) {
      if (isApartInAxis(survey, first, axis, lane)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isApartInAxis(NestSurvey survey, BoundAccess first, int axis, int lane) {
    Affine index = first.axes().get(axis).affine();
    if (index == null
        || index.coefficient(lane) == 0
        || !isSmall(index.coefficient(lane))
        || !index.isConstantInside(lane + 1)) {
      return false;
    }
    for (AccessSite site : survey.accesses()) {
      BoundAccess access = site.access();
      if (site.depth() >= lane
          && access.tensor().equals(first.tensor())
          && (access.axes().size() != first.axes().size()
              || !index.equals(access.axes().get(axis).affine()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a coefficient is so small that no lane's index wraps around. */
  public static boolean isSmall(long coefficient) {
    return coefficient > -MAX_COEFFICIENT && coefficient < MAX_COEFFICIENT;
  }

  /**
   * Whether a tensor is accessed only once, by a write that writes each element in the order of the
   * lanes.
   */
  private static boolean isWrittenInOrder(
      BoundNest nest, NestSurvey survey, String tensor, int lane) {
    int sites = 0;
    boolean fits = true;
    for (AccessSite site : survey.accesses()) {
      if (site.depth() >= lane && site.access().tensor().equals(tensor)) {
        sites++;
        fits &= site.target();
        for (int depth = lane + 1; depth <= site.depth(); depth++) {
          Long iterations = nest.iterations(depth);
          boolean once = iterations != null && iterations <= 1;
          fits &= once || hasOwnAxis(site.access(), depth, lane);
        }
      }
    }
    return fits && sites <= 1;
  }

  /**
   * Whether an index determines the iteration of one inner loop, independently of the lane and the
   * other inner loops.
   */
  private static boolean hasOwnAxis(BoundAccess access, int depth, int lane) {
    for (BoundAccess.Axis axis : access.axes()) {
      Affine index = axis.affine();
      if (index != null
          && index.coefficient(depth) != 0
          && isSmall(index.coefficient(depth))
          && index.without(depth).isConstantInside(lane)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether folds into the carried variables of outer loops, and reads of these variables, stay in
   * order.
   */
  private static boolean foldsInOrder(NestSurvey survey, int lane) {
    for (CarriedSite fold : survey.carried()) {
      if (!fold.fold() || fold.depth() < lane || survey.depthOfCarried(fold.id()) >= lane) {
        continue;
      }
      int uses = 0;
      for (CarriedSite other : survey.carried()) {
        uses += other.id() == fold.id() && other.depth() >= lane ? 1 : 0;
      }
      if (uses > 1 || fold.depth() != lane) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the depth of the loop whose iterations threads may share; -1 if there is none. The
   * candidate is the outermost loop that is not just a loop of one iteration around another. It is
   * shared if no two of its iterations access the same element of a written tensor. O(accesses²).
   */
  public static int sharedDepth(BoundNest nest, NestSurvey survey) {
    int depth = 0;
    while (depth < nest.loops() && nest.runsOnce(depth) && nest.isBare(depth)) {
      depth++;
    }
    if (depth == nest.loops()
        || nest.iterations(depth) == null
        || !Affine.constant(0, nest.loops()).equals(nest.start(depth))) {
      return -1;
    }
    for (String tensor : survey.written()) {
      if (!isApart(survey, tensor, depth)) {
        return -1;
      }
    }
    return depth;
  }

  /** Returns the estimated time of a run, in nanoseconds. O(loops · accesses). */
  public static double time(BoundNest nest, NestSurvey survey, int lane) {
    double runs = 1;
    double time = 0;
    for (int depth = 0; depth < nest.loops(); depth++) {
      double iterations = estimate(nest, depth);
      double strip = Math.max(1, Math.min(iterations, LANES));
      runs *= depth == lane ? Math.ceil(iterations / strip) : iterations;
      double lanes = depth >= lane ? Math.min(Math.max(1, estimate(nest, lane)), LANES) : 1;
      time += runs * (START + strips(survey, depth, lane, lanes));
    }
    return time;
  }

  /** Returns the estimated time of one pass over the statements of a loop. */
  private static double strips(NestSurvey survey, int depth, int lane, double lanes) {
    double time = 0;
    for (AccessSite site : survey.accesses()) {
      if (site.depth() == depth) {
        time += 2 * START + lanes * perLane(site, lane);
      }
    }
    for (CarriedSite site : survey.carried()) {
      if (site.depth() == depth) {
        boolean oneByOne = site.fold() && depth == lane && survey.depthOfCarried(site.id()) < lane;
        time += START + lanes * (oneByOne ? STRIDED_LANE : LANE);
      }
    }
    return time;
  }

  private static double perLane(AccessSite site, int lane) {
    BoundAccess access = site.access();
    if (!access.isAffine()) {
      return SCATTERED_LANE;
    }
    int axes = access.axes().size();
    for (int axis = 0; axis < axes; axis++) {
      Affine index = requireNonNull(access.axes().get(axis).affine());
      long step = Math.abs(index.coefficient(lane));
      if (step != 0) {
        return axis == axes - 1 && step == 1 ? LANE : STRIDED_LANE;
      }
    }
    return site.target() ? STRIDED_LANE : LANE;
  }

  private static double estimate(BoundNest nest, int depth) {
    Long iterations = nest.iterations(depth);
    if (iterations != null) {
      return iterations;
    }
    IndexRange range = nest.range(depth);
    return range == null ? 16 : Math.min(1e9, 0.5 * ((double) range.high() - range.low() + 1));
  }
}
