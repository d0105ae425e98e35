package dev.sublet.offset;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;

/**
 * Applies a planner to buffers whose regions are known: to the buffers of all blocks together, or
 * block by block, see {@link RecursivePlacement}.
 *
 * <p>The best placement of all blocks together is never larger than the best one block by block,
 * but a heuristic planner may miss it. So a draft of all blocks together tries both ways and takes
 * the smaller arena, unless the first one is good enough ({@link Planner#goalOfDraft}).
 */
final class BlockwisePlanner {

  /** A method of a planner that places a problem. */
  private interface Way {
    Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log);
  }

  private final Planner planner;
  private final RegionTree tree;
  private final PlannerOptions options;
  private final boolean hierarchical;
  private final boolean parallel;
  private final DiagnosticLog log;

  /**
   * Makes a planner for one program.
   *
   * @param hierarchical whether each block is placed by itself
   * @param parallel whether operators may run at the same time: then a block does not occupy its
   *     bytes for one interval of time
   */
  BlockwisePlanner(
      Planner planner,
      RegionTree tree,
      PlannerOptions options,
      boolean hierarchical,
      boolean parallel,
      DiagnosticLog log) {
    this.planner = planner;
    this.tree = tree;
    this.options = options;
    this.hierarchical = hierarchical;
    this.parallel = parallel;
    this.log = log;
  }

  /** The name of the planner. */
  String name() {
    return planner.name();
  }

  /** Returns a placement that is found quickly. */
  Placement draft(PlanningProblem problem, int[] homes) {
    boolean differs = !parallel && RecursivePlacement.differs(problem, homes);
    if (hierarchical && differs) {
      return recursive(problem, homes, planner::draft);
    }
    Placement together = planner.draft(problem, options, log);
    if (together.arenaBytes() <= planner.goalOfDraft(problem, together.lowerBound()) || !differs) {
      return together;
    }
    Placement recursive = recursive(problem, homes, planner::draft);
    Placement smaller = recursive.arenaBytes() < together.arenaBytes() ? recursive : together;
    return new Placement(
        planner.name(),
        smaller.offsets(),
        smaller.arenaBytes(),
        together.lowerBound(),
        together.nodes() + recursive.nodes());
  }

  /** Improves a draft with all that the planner may spend. */
  Placement improve(PlanningProblem problem, int[] homes, Placement draft) {
    if (hierarchical && RecursivePlacement.differs(problem, homes)) {
      return recursive(problem, homes, planner::place);
    }
    return planner.improve(problem, draft, options, log);
  }

  /** Returns a placement with all that the planner may spend. */
  Placement place(PlanningProblem problem, int[] homes) {
    if (hierarchical && RecursivePlacement.differs(problem, homes)) {
      return recursive(problem, homes, planner::place);
    }
    return planner.improve(problem, draft(problem, homes), options, log);
  }

  private Placement recursive(PlanningProblem problem, int[] homes, Way way) {
    return RecursivePlacement.place(
        problem, tree, homes, planner.name(), region -> way.place(region, options, log));
  }
}
