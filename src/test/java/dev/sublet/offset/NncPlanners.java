package dev.sublet.offset;

import com.google.common.collect.ImmutableList;

/** Both of NNC's planners. */
final class NncPlanners {

  static final ImmutableList<Planner> ALL =
      ImmutableList.of(new NncPlanner(), new NncInterferencePlanner());

  private NncPlanners() {}
}
