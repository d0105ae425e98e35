package dev.sublet.offset;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;

/**
 * Looks for the smallest arena by branch and bound, and proves that it is the smallest, or says how
 * far from that it may be. See {@link SearchRounds} for how.
 *
 * <p>A budget that ends before the proof is told in the log, and so is a problem that is too large
 * to be searched.
 */
final class SearchPlanner implements Planner {

  static final String NAME = "search";

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
    int[] order = BufferOrder.SIZE.sort(problem);
    return Placement.of(NAME, problem, GreedyPlacement.place(problem, order, FitRule.LOWEST));
  }

  @Override
  public Placement improve(
      PlanningProblem problem, Placement known, PlannerOptions options, DiagnosticLog log) {
    if (known.isProvedOptimal()) {
      return known.by(NAME);
    }
    SearchModel model = SearchModel.of(problem, known.arenaBytes());
    if (model == null) {
      log.warn(
          Place.nowhere(),
          problem.bufferCount()
              + " buffers are too many, too large or too long-lived to be searched");
      return known.by(NAME);
    }
    SearchRounds rounds = new SearchRounds(model, known, options);
    rounds.run();
    if (!rounds.reason().isEmpty()) {
      log.note(Place.nowhere(), "the search for a smaller arena " + rounds.reason());
    }
    return new Placement(
        NAME,
        ImmutableLongArray.copyOf(rounds.offsets()),
        rounds.arenaBytes(),
        rounds.lowerBound(),
        known.nodes() + rounds.nodes());
  }
}
