package dev.sublet.placement.greedy;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.Planner;

/** The planners that place buffers one by one, never to move again: the front door. */
public final class GreedyPlanners {

  /** The largest first, each in the tightest gap; as TFLite does. */
  public static final Planner GREEDY_SIZE = new GreedyBySizePlanner();

  /** Those of the point with the most bytes first, each in the tightest gap. */
  public static final Planner GREEDY_BREADTH = new GreedyByBreadthPlanner();

  /** In an order that the options give, each in the tightest gap. */
  public static final Planner BEST_FIT = new BestFitPlanner();

  /** In an order that the options give, each in the lowest gap. */
  public static final Planner FIRST_FIT = new FirstFitPlanner();

  /** All of them. */
  public static final ImmutableList<Planner> ALL =
      ImmutableList.of(GREEDY_SIZE, GREEDY_BREADTH, BEST_FIT, FIRST_FIT);

  private GreedyPlanners() {}
}
