package dev.sublet.placement.search;

import org.jspecify.annotations.Nullable;

/**
 * A member of the portfolio: a search with an order of preference, a position of its target between
 * the proven bound and the best arena, and a choice whether it restarts with every turn.
 *
 * <p>A member that does not restart is complete: with enough steps it finds a placement within its
 * target or proves that there is none. A member that restarts learns from its previous turns: the
 * sections that most often had no room get a greater load, so their buffers are preferred, and its
 * turns grow longer. Restarts find placements that a search with a bad decision near its root never
 * reaches.
 *
 * <p>Not thread-safe, but two members share no mutable state.
 */
final class SearchStrategy implements PortfolioMember {

  /**
   * The parameters of a member.
   *
   * @param criteria the order of preference, see {@link SearchOrders}
   * @param gapShare the position of the target, as a share of the way from the lower bound to the
   *     best arena; for members that restart and whose share is not 0, only of the first target
   * @param strength how much heavier the section that failed most counts: its load is multiplied by
   *     1 + strength; 0 if the member does not restart
   */
  record Kind(String criteria, double gapShare, double strength) {}

  /** The factor by which the weight of earlier failures is multiplied with every turn. */
  private static final double FORGETTING = 0.8;

  /** The number of steps per turn of a member that continues where it stopped. */
  private static final double TURN = 2000;

  /** The number of steps of the first turn of a member that restarts. */
  private static final double FIRST_TURN = 1000;

  /** The factor by which this number grows with every turn. */
  private static final double GROWTH = 1.05;

  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  /** A factor of all loads, so that fractions of them are integers. */
  private static final double SCALE = 1024;

  private final SearchModel model;
  private final SearchOrders orders;
  private final Kind kind;
  private final double[] weights;

  private @Nullable DepthFirstSearch search;
  private long target;
  private double turn;
  private int turns;
  private long nodes;
  private DepthFirstSearch.Outcome outcome = DepthFirstSearch.Outcome.RUNNING;

  SearchStrategy(SearchModel model, SearchOrders orders, Kind kind) {
    this.model = model;
    this.orders = orders;
    this.kind = kind;
    this.weights = new double[model.sections];
    this.turn = kind.strength() > 0 ? FIRST_TURN : TURN;
  }

  @Override
  public long nodes() {
    return nodes;
  }

  @Override
  public long target() {
    return target;
  }

  @Override
  public DepthFirstSearch.Outcome outcome() {
    return outcome;
  }

  @Override
  public long[] offsets() {
    return model.inBytes(b -> search == null ? 0 : search.offset(b));
  }

  @Override
  public long run(long lowerBound, long best, long maxSteps) {
    long wanted = lowerBound + (long) ((best - 1 - lowerBound) * gapShare());
    DepthFirstSearch current = search;
    if (current == null
        || kind.strength() > 0
        || outcome != DepthFirstSearch.Outcome.RUNNING
        || target < lowerBound
        || target >= best) {
      target = wanted;
      current = new DepthFirstSearch(model, orders.order(kind.criteria(), loads()), wanted);
      search = current;
    }
    long before = current.nodes();
    long stepsBefore = current.steps();
    outcome = current.run(Math.min(maxSteps, (long) turn));
    nodes += current.nodes() - before;
    if (kind.strength() > 0) {
      learn(current);
      turn *= GROWTH;
      turns++;
    }
    return current.steps() - stepsBefore;
  }

  /**
   * The share of this turn's target. Members that restart and do not aim at the bound spread their
   * targets evenly over the gap.
   */
  private double gapShare() {
    boolean spreads = kind.strength() > 0 && kind.gapShare() > 0;
    return spreads ? (kind.gapShare() + turns * GOLDEN_RATIO) % 1 : kind.gapShare();
  }

  private long[] loads() {
    double most = Double.MIN_NORMAL;
    for (double weight : weights) {
      most = Math.max(most, weight);
    }
    long[] loads = new long[model.sections];
    for (int s = 0; s < loads.length; s++) {
      double heavier = 1 + kind.strength() * weights[s] / most;
      loads[s] = (long) (SCALE * model.loads[s] * heavier);
    }
    return loads;
  }

  private void learn(DepthFirstSearch current) {
    long all = 0;
    for (int s = 0; s < weights.length; s++) {
      all += current.failures(s);
    }
    for (int s = 0; s < weights.length; s++) {
      weights[s] = FORGETTING * weights[s] + (double) current.failures(s) / Math.max(1, all);
    }
  }
}
