package dev.sublet.placement.search;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;

/**
 * Searches for the smallest arena by branch and bound, and proves that it is the smallest or gives
 * a lower bound. {@link SearchPortfolio} describes the method.
 *
 * <p>The log contains a message if the budget ends before the proof or the gap, or if the problem
 * is too large to be searched.
 */
public final class SearchPlanner implements Planner {

  /** The name of this planner. */
  public static final String NAME = "search";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return improve(problem, draft(problem, options, log), options, log);
  }

  @Override
  public Placement draft(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return GreedyPlanners.FIRST_FIT
        .place(problem, options.withOrder(BufferOrder.SIZE), log)
        .by(NAME);
  }

  @Override
  public Placement search(
      PlanningProblem problem, Placement known, PlannerOptions options, DiagnosticLog log) {
    if (options.gap().accepts(known)) {
      return known.by(NAME);
    }
    SearchModel model = SearchModel.of(problem, known.arenaBytes());
    if (model == null) {
      log.warn(
          Location.nowhere(),
          problem.bufferCount()
              + " buffers are too many, too large or too long-lived to be searched");
      return known.by(NAME);
    }
    long bound = Math.max(known.lowerBound(), CliqueBound.of(model));
    Placement bounded =
        new Placement(NAME, known.offsets(), known.arenaBytes(), bound, known.nodes());
    if (options.gap().accepts(bounded)) {
      return bounded;
    }
    SearchPortfolio rounds = new SearchPortfolio(model, bounded, options);
    rounds.run();
    if (!rounds.reason().isEmpty()) {
      log.note(Location.nowhere(), "the search for a smaller arena " + rounds.reason());
    }
    return new Placement(
        NAME,
        ImmutableLongArray.copyOf(rounds.offsets()),
        rounds.arenaBytes(),
        rounds.lowerBound(),
        known.nodes() + rounds.nodes());
  }

  /**
   * Lowers the peaks of a placement that is too large to be searched as a whole, by searches of a
   * few buffers each.
   *
   * @param steps the number of steps that all searches together may take
   * @return a placement that is at least as small; the given one for problems with windows
   */
  public static Placement lowerPeaks(PlanningProblem problem, Placement known, long steps) {
    return PeakReduction.repair(problem, known, steps);
  }
}
