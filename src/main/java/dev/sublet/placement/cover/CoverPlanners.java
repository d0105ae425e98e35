package dev.sublet.placement.cover;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.Planner;

/** The planners that stack buffers on a profile of heights: the front door. */
public final class CoverPlanners {

  /** The longest-lived first. */
  public static final Planner STACK = new StackPlanner();

  /** Group by group of a path cover. */
  public static final Planner PATH_COVER = new PathCoverPlanner();

  /** Both. */
  public static final ImmutableList<Planner> ALL = ImmutableList.of(STACK, PATH_COVER);

  private CoverPlanners() {}
}
