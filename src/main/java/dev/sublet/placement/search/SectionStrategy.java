package dev.sublet.placement.search;

import dev.sublet.placement.search.DepthFirstSearch.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A member of the portfolio that runs a {@link SectionSearch} and restarts it after some failures.
 *
 * <p>Restarts get it out of a part of the search in which an early mistake was made. What it has
 * learned stays: the sections that failed are chosen first, and states that failed are not tried
 * again. The number of failures up to a restart grows like 1, 1, 2, 1, 1, 2, 4, 1, …, so that the
 * search stays complete.
 *
 * <p>Source: Luby, Sinclair and Zuckerman 1993 for the restarts.
 */
final class SectionStrategy implements PortfolioMember {

  /**
   * The parameters of a member.
   *
   * @param gapShare the position of the target, as a share of the way from the lower bound to the
   *     best arena; if it is not 0, only of the first target: later ones spread over the gap
   * @param failures the number of failures up to the first restart
   */
  record Kind(double gapShare, int failures) {}

  /** The orders of preference of the restarts, one after the other; see {@link SearchOrders}. */
  private static final String[] CRITERIA = {"TWA", "WAT", "TAW", "TWA"};

  /** The factor by which the weights of sections are multiplied with every restart. */
  private static final double FORGETTING = 0.9;

  /** The weight of a section that counts as much again as its load. */
  private static final double DOUBLING_WEIGHT = 20;

  /** The step by which targets spread evenly, however many there are. */
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  /** A factor of all loads, so that fractions of them are integers. */
  private static final double SCALE = 1024;

  /**
   * The number of steps per turn, more than a {@link SearchStrategy} takes: where the choice among
   * the kinds matters, this one usually finds more.
   */
  private static final long TURN = 5000;

  private final SearchModel model;
  private final SearchOrders orders;
  private final Kind kind;
  private final double[] weights;

  private @Nullable SectionSearch search;
  private FailedStates failed = new FailedStates();
  private long target = Long.MAX_VALUE;
  private int restarts;
  private long nodesBefore;
  private Outcome outcome = Outcome.RUNNING;

  SectionStrategy(SearchModel model, SearchOrders orders, Kind kind) {
    this.model = model;
    this.orders = orders;
    this.kind = kind;
    this.weights = new double[model.sections];
  }

  @Override
  public long nodes() {
    return nodesBefore + (search == null ? 0 : search.nodes());
  }

  @Override
  public long target() {
    return target;
  }

  @Override
  public Outcome outcome() {
    return outcome;
  }

  @Override
  public long[] offsets() {
    return model.inBytes(b -> search == null ? 0 : search.offset(b));
  }

  @Override
  public long run(long lowerBound, long best, long maxSteps) {
    SectionSearch current = search;
    if (current == null || outcome != Outcome.RUNNING || target < lowerBound || target >= best) {
      current = restart(lowerBound, best);
    }
    long steps = 0;
    long limit = Math.min(maxSteps, TURN);
    do {
      if (current.failures() >= kind.failures() * luby(restarts)) {
        current = restart(lowerBound, best);
      }
      long before = current.steps();
      outcome = current.run(limit - steps, kind.failures() * luby(restarts));
      steps += Math.max(1, current.steps() - before);
    } while (outcome == Outcome.RUNNING && steps < limit);
    return steps;
  }

  private SectionSearch restart(long lowerBound, long best) {
    nodesBefore = nodes();
    double share = kind.gapShare() == 0 ? 0 : (kind.gapShare() + restarts * GOLDEN_RATIO) % 1;
    long newTarget = lowerBound + (long) ((best - 1 - lowerBound) * share);
    if (newTarget > target) {
      failed = new FailedStates(); // they failed within fewer bytes, which proves nothing for more
    }
    target = newTarget;
    restarts++;
    for (int s = 0; s < weights.length; s++) {
      weights[s] *= FORGETTING;
    }
    String criteria = CRITERIA[(restarts - 1) % CRITERIA.length];
    int[] order = orders.order(criteria, loads());
    SectionSearch next = new SectionSearch(model, order, newTarget, weights, failed);
    search = next;
    return next;
  }

  /** The loads of the sections; those that failed count more, once every order was tried. */
  private long[] loads() {
    long[] loads = new long[model.sections];
    for (int s = 0; s < loads.length; s++) {
      double heavier = restarts <= CRITERIA.length ? 1 : 1 + weights[s] / DOUBLING_WEIGHT;
      loads[s] = (long) (SCALE * model.loads[s] * heavier);
    }
    return loads;
  }

  /** The n-th number of the sequence 1, 1, 2, 1, 1, 2, 4, 1, …, from n = 1. */
  static long luby(int n) {
    int length = Integer.highestOneBit(n + 1) - 1; // the longest prefix 2^k - 1 within n
    return n == length ? (length + 1) / 2 : luby(n - length);
  }
}
