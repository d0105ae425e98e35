package dev.sublet.placement.nnc;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.Planner;

/** The tensor allocation of NNC in both of its forms: the front door. */
public final class NncPlanners {

  /** The newer form: the largest tensors first. */
  public static final Planner NNC = new NncPlanner();

  /** The older form: the tensors that interfere with the most others first, in tuples. */
  public static final Planner NNC_INTERFERENCE = new NncInterferencePlanner();

  /** Both planners. */
  public static final ImmutableList<Planner> ALL = ImmutableList.of(NNC, NNC_INTERFERENCE);

  private NncPlanners() {}
}
