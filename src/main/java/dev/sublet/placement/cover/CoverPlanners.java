package dev.sublet.placement.cover;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.Planner;

/** The planners that stack buffers on a profile of heights: the front door. */
public final class CoverPlanners {

  /** Stacks the longest-lived buffers first. */
  public static final Planner STACK = new StackPlanner();

  /** Stacks the buffers group by group, where the groups are the paths of a path cover. */
  public static final Planner PATH_COVER = new PathCoverPlanner();

  /** Both planners. */
  public static final ImmutableList<Planner> ALL = ImmutableList.of(STACK, PATH_COVER);

  private CoverPlanners() {}
}
