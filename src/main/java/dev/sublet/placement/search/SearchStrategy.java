package dev.sublet.placement.search;

import org.jspecify.annotations.Nullable;

/**
 * One of the searches that take turns: an order of preference, how the target lies between the
 * proven bound and the best arena, and whether it begins anew with every turn.
 *
 * <p>A member that does not is complete: left alone it finds a placement within its target or
 * proves that there is none. A member that does has learned from its turn before: the sections that
 * had no room most often count as heavier, so their buffers are preferred, and its turns grow. That
 * finds what a search that once decided badly near its root never comes to.
 *
 * <p>Not thread-safe; two members share nothing that changes.
 */
final class SearchStrategy {

  /**
   * What kind of member.
   *
   * @param criteria the order of preference, see {@link SearchOrders}
   * @param gapShare the target: this share of the way from the lower bound to the best arena; of
   *     members that begin anew the first target, others follow
   * @param strength how much heavier the section counts that failed most; 0: it does not begin anew
   */
  record Kind(String criteria, double gapShare, double strength) {}

  /** What the weight of earlier failures is multiplied by with every turn. */
  private static final double FORGETTING = 0.8;

  /** The steps of a turn of a member that goes on where it stopped. */
  private static final double TURN = 2000;

  /** The steps of the first turn of a member that begins anew. */
  private static final double FIRST_TURN = 1000;

  /** What these are multiplied by with every turn. */
  private static final double GROWTH = 1.05;

  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  /** Loads are multiplied by this, so that shares of them are whole. */
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

  /** How many nodes it has visited. */
  long nodes() {
    return nodes;
  }

  /** The bytes within which its latest turn looked for a placement. */
  long target() {
    return target;
  }

  /** What came of its latest turn. */
  DepthFirstSearch.Outcome outcome() {
    return outcome;
  }

  /** The offsets in bytes of the placement that its latest turn found. */
  long[] offsets() {
    long[] offsets = new long[model.count];
    for (int b = 0; b < offsets.length && search != null; b++) {
      offsets[b] = search.offset(b) * model.unit;
    }
    return offsets;
  }

  /**
   * Takes a turn, and returns the steps that it took.
   *
   * @param lowerBound no placement is smaller
   * @param best a placement of so many bytes is known, and a smaller one wanted
   * @param maxSteps at most so many steps
   */
  long run(long lowerBound, long best, long maxSteps) {
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
   * Members that begin anew and do not aim at the bound spread their targets evenly over the gap.
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
