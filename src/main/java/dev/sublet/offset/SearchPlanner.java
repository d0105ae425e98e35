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
    return improve(problem, new GreedyBySizePlanner().place(problem, options, log), options, log);
  }

  /**
   * The smallest placement that the budget allows to find.
   *
   * @param known the one to be improved
   */
  static Placement improve(
      PlanningProblem problem, Placement known, PlannerOptions options, DiagnosticLog log) {
    if (known.isProvedOptimal()) {
      return named(known, known.lowerBound(), 0);
    }
    SearchModel model = SearchModel.of(problem, known.arenaBytes());
    if (model == null) {
      log.warn(
          Place.nowhere(),
          problem.bufferCount()
              + " buffers are too many, too large or too long-lived to be searched");
      return named(known, known.lowerBound(), 0);
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
        rounds.nodes());
  }

  private static Placement named(Placement known, long lowerBound, long nodes) {
    return new Placement(NAME, known.offsets(), known.arenaBytes(), lowerBound, nodes);
  }
}
