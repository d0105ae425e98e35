package dev.sublet.placement;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.cover.CoverPlanners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.nnc.NncPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.search.SearchPlanner;

/**
 * The smallest of what all planners find, made smaller still.
 *
 * <p>The quick planners are asked one after the other until one reaches the lower bound. Then the
 * peaks of the best placement are lowered ({@link SearchPlanner#lowerPeaks}), and the whole is
 * searched within the budget ({@link SearchPlanner}). A gap of less than a thousandth gets an
 * eighth of the budget, and so do more than {@link #SEARCHABLE} buffers, of which a search sees a
 * corner only; a gap that is less than the alignment, and so no more than padding, gets a
 * thirty-second. Of equal placements the first is taken. Never larger than what a planner that was
 * asked finds; on more than {@link #MANY_BUFFERS} buffers not all are, which is told in the log.
 */
final class BestPlanner implements Planner {

  static final String NAME = "best";

  /** Beyond this only planners are asked whose time is near-linear. */
  private static final int MANY_BUFFERS = 30_000;

  /** Of the budget so many parts go into lowering peaks. */
  private static final int REPAIR_SHARE = 2;

  private static final int PADDING_SHARE = 32;

  /** A gap of less than one in so many bytes is worth only a part of the budget. */
  private static final int SMALL_GAP = 1000;

  private static final int SMALL_GAP_SHARE = 8;

  /** The whole of so many buffers is searched well enough; of more, a part of the budget shows. */
  private static final int SEARCHABLE = 1000;

  private record Draft(Planner planner, BufferOrder order, boolean isForMany) {}

  private static final ImmutableList<Draft> DRAFTS =
      ImmutableList.of(
          new Draft(GreedyPlanners.FIRST_FIT, BufferOrder.SIZE, true),
          new Draft(GreedyPlanners.FIRST_FIT, BufferOrder.DURATION, true),
          new Draft(GreedyPlanners.FIRST_FIT, BufferOrder.CONFLICTS, true),
          new Draft(CoverPlanners.PATH_COVER, BufferOrder.SIZE, false),
          new Draft(GreedyPlanners.GREEDY_SIZE, BufferOrder.SIZE, false),
          new Draft(GreedyPlanners.GREEDY_BREADTH, BufferOrder.SIZE, false),
          new Draft(GreedyPlanners.FIRST_FIT, BufferOrder.AREA, false),
          new Draft(GreedyPlanners.FIRST_FIT, BufferOrder.START, false),
          new Draft(GreedyPlanners.BEST_FIT, BufferOrder.SIZE, false),
          new Draft(GreedyPlanners.BEST_FIT, BufferOrder.DURATION, false),
          new Draft(GreedyPlanners.BEST_FIT, BufferOrder.START, false),
          new Draft(GreedyPlanners.BEST_FIT, BufferOrder.AREA, false),
          new Draft(GreedyPlanners.BEST_FIT, BufferOrder.CONFLICTS, false),
          new Draft(CoverPlanners.STACK, BufferOrder.SIZE, false),
          new Draft(NncPlanners.NNC, BufferOrder.SIZE, false),
          new Draft(NncPlanners.NNC_INTERFERENCE, BufferOrder.SIZE, false));

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
    Placement best = null;
    int asked = 0;
    for (Draft draft : DRAFTS) {
      if (problem.bufferCount() > MANY_BUFFERS && !draft.isForMany()) {
        continue;
      }
      asked++;
      PlannerOptions ordered =
          new PlannerOptions(options.nodes(), options.timeoutMillis(), draft.order());
      // What a planner among others leaves undone is nobody's concern.
      Placement placement = draft.planner().place(problem, ordered, new DiagnosticLog());
      best = best == null || placement.arenaBytes() < best.arenaBytes() ? placement : best;
      if (best.isProvedOptimal()) {
        return best.by(NAME);
      }
    }
    if (asked < DRAFTS.size()) {
      log.note(
          Location.nowhere(),
          problem.bufferCount()
              + " buffers are many: planner '"
              + NAME
              + "' asked only "
              + asked
              + " of "
              + DRAFTS.size()
              + " others");
    }
    return requireNonNull(best).by(NAME);
  }

  @Override
  public Placement improve(
      PlanningProblem problem, Placement draft, PlannerOptions options, DiagnosticLog log) {
    if (draft.isProvedOptimal()) {
      return draft;
    }
    long nodes = options.nodes() / share(problem, draft);
    PlannerOptions spent = new PlannerOptions(nodes, options.timeoutMillis(), options.order());
    Placement repaired =
        problem.bufferCount() <= SEARCHABLE
            ? draft
            : SearchPlanner.lowerPeaks(problem, draft, nodes / REPAIR_SHARE);
    return new SearchPlanner().improve(problem, repaired, spent, log).by(NAME);
  }

  /** Which part of the budget the gap of a draft is worth: one in so many. */
  private static int share(PlanningProblem problem, Placement draft) {
    long gap = draft.arenaBytes() - draft.lowerBound();
    if (gap < problem.alignment()) {
      return PADDING_SHARE;
    }
    boolean isSmall = gap * SMALL_GAP < draft.lowerBound();
    return isSmall || problem.bufferCount() > SEARCHABLE ? SMALL_GAP_SHARE : 1;
  }
}
