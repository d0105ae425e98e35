package dev.sublet.offset;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;

/**
 * The smallest of what all planners find, made smaller still.
 *
 * <p>The quick planners are asked one after the other until one reaches the lower bound. Then the
 * peaks of the best placement are lowered ({@link PeakRepair}), and the whole is searched within
 * the budget ({@link SearchPlanner}). A gap of less than a thousandth gets an eighth of the budget,
 * and so do more than {@link #SEARCHABLE} buffers, of which a search sees a corner only; a gap that
 * is less than the alignment, and so no more than padding, gets a thirty-second. Of equal
 * placements the first is taken. Never larger than what a planner that was asked finds; on more
 * than {@link #MANY_BUFFERS} buffers not all are, which is told in the log.
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
          new Draft(new FirstFitPlanner(), BufferOrder.SIZE, true),
          new Draft(new FirstFitPlanner(), BufferOrder.DURATION, true),
          new Draft(new FirstFitPlanner(), BufferOrder.CONFLICTS, true),
          new Draft(new PathCoverPlanner(), BufferOrder.SIZE, false),
          new Draft(new GreedyBySizePlanner(), BufferOrder.SIZE, false),
          new Draft(new GreedyByBreadthPlanner(), BufferOrder.SIZE, false),
          new Draft(new FirstFitPlanner(), BufferOrder.AREA, false),
          new Draft(new FirstFitPlanner(), BufferOrder.START, false),
          new Draft(new BestFitPlanner(), BufferOrder.SIZE, false),
          new Draft(new BestFitPlanner(), BufferOrder.DURATION, false),
          new Draft(new BestFitPlanner(), BufferOrder.START, false),
          new Draft(new BestFitPlanner(), BufferOrder.AREA, false),
          new Draft(new BestFitPlanner(), BufferOrder.CONFLICTS, false),
          new Draft(new StackPlanner(), BufferOrder.SIZE, false),
          new Draft(new NncPlanner(), BufferOrder.SIZE, false),
          new Draft(new NncInterferencePlanner(), BufferOrder.SIZE, false));

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
          Place.nowhere(),
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
            : PeakRepair.repair(problem, draft, nodes / REPAIR_SHARE);
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
