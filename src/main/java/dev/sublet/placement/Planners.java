package dev.sublet.placement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.cover.CoverPlanners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.nnc.NncPlanners;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.search.SearchPlanner;

/** All planners by name: the front door. */
public final class Planners {

  /**
   * The name of the planner that takes the best placement of the other planners and improves it.
   */
  public static final String BEST = BestPlanner.NAME;

  /** The name of the planner that groups buffers by a path cover. */
  public static final String PATH_COVER = CoverPlanners.PATH_COVER.name();

  private static final ImmutableMap<String, Planner> BY_NAME =
      Maps.uniqueIndex(
          ImmutableList.<Planner>builder()
              .add(new BestPlanner())
              .addAll(GreedyPlanners.ALL)
              .addAll(NncPlanners.ALL)
              .add(new SearchPlanner())
              .addAll(CoverPlanners.ALL)
              .build(),
          Planner::name);

  private Planners() {}

  /** The names of the planners. */
  public static ImmutableList<String> names() {
    return BY_NAME.keySet().asList();
  }

  /**
   * Returns the planner with a name.
   *
   * @throws ProgramException if no planner has this name
   */
  public static Planner of(String name) {
    Planner named = BY_NAME.get(name);
    if (named == null) {
      throw ProgramException.usage(
          "there is no planner '" + name + "'" + NameHint.of(name, "planners", names()));
    }
    return named;
  }
}
