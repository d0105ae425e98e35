package dev.sublet.placement.greedy;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.Planner;

/** The planners that place buffers one by one and never move them again: the front door. */
public final class GreedyPlanners {

  /** Places the largest buffers first, each in the tightest gap; as TFLite does. */
  public static final Planner GREEDY_SIZE = new GreedyBySizePlanner();

  /** Places the buffers of the points with the most bytes first, each in the tightest gap. */
  public static final Planner GREEDY_BREADTH = new GreedyByBreadthPlanner();

  /** Places buffers in the order of the options, each in the tightest gap. */
  public static final Planner BEST_FIT = new BestFitPlanner();

  /** Places buffers in the order of the options, each in the lowest gap. */
  public static final Planner FIRST_FIT = new FirstFitPlanner();

  /** All greedy planners. */
  public static final ImmutableList<Planner> ALL =
      ImmutableList.of(GREEDY_SIZE, GREEDY_BREADTH, BEST_FIT, FIRST_FIT);

  private GreedyPlanners() {}
}
