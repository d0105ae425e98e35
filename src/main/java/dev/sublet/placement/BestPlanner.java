package dev.sublet.placement;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.cover.CoverPlanners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.local.BoxedProblem;
import dev.sublet.placement.local.LargePlanner;
import dev.sublet.placement.nnc.NncPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.search.SearchPlanner;
import java.util.Optional;

/**
 * Takes the smallest placement that any planner finds, and then improves it.
 *
 * <p>The quick planners run one after the other until one reaches the lower bound. With more than
 * {@link #SEARCHABLE} buffers, sweeps over time come first ({@link LargePlanner#sweep}). If none
 * reaches the bound, the best placement is improved within the budget. Up to {@link #SEARCHABLE}
 * buffers are joined to boxes ({@link LargePlanner#box}), which are placed by this planner as if
 * they were buffers, and then searched one by one ({@link SearchPlanner}); more are improved by
 * {@link LargePlanner}. Problems that it does not take get their peaks lowered ({@link
 * SearchPlanner#lowerPeaks}) and are then searched.
 *
 * <p>The search gets only a part of the budget where it can gain little: an eighth if the gap to
 * the lower bound is less than a thousandth of that bound, or if there are more than {@link
 * #SEARCHABLE} buffers, because a search then covers only a small part of the problem; a
 * thirty-second if the gap is at most the alignment, so that it may be mere padding, and with more
 * than {@link #MANY_BUFFERS} an eighth of that. Padding is not searched for with fewer nodes than a
 * twentieth of the buffers: to prepare the search would take longer than the search.
 *
 * <p>Of equal placements the first is taken. The result is never larger than that of a planner that
 * was run. Not all planners run with more than {@link #SEARCHABLE} buffers, only some with more
 * than {@link #MANY_BUFFERS}, and of these no more after a small gap; the log states how many.
 */
final class BestPlanner implements Planner {

  static final String NAME = "best";

  /** With more buffers than this, only planners of near-linear time run. */
  private static final int MANY_BUFFERS = 30_000;

  /** Lowering peaks gets the budget divided by this. */
  private static final int REPAIR_SHARE = 2;

  /** Looking for boxes of one tolerance gets the budget divided by this. */
  private static final int BOX_SHARE = 16;

  /** Placing the boxes of one tolerance gets the budget divided by this. */
  private static final int BOXED_SHARE = 4;

  /**
   * Heights of boxes are taken for equal if they differ by at most the lower bound divided by this.
   * One after the other is tried, after equal heights.
   */
  private static final ImmutableList<Long> TOLERANCES = ImmutableList.of(4096L, 128L);

  private static final int PADDING_SHARE = 32;

  private static final int PADDING_OF_MANY_SHARE = 256;

  /** The fewest nodes with which padding is searched for: the number of buffers divided by this. */
  private static final int BUFFERS_PER_NODE = 20;

  /** A gap is small if it is less than the lower bound divided by this. */
  private static final int SMALL_GAP = 1000;

  private static final int SMALL_GAP_SHARE = 8;

  /** Up to this many buffers, the search gets the whole budget unless the gap is small. */
  private static final int SEARCHABLE = 1000;

  /** A quick planner, and the number of buffers up to which it runs. */
  private record DraftPlanner(Planner planner, BufferOrder order, int mostBuffers) {}

  private static final ImmutableList<DraftPlanner> DRAFTS =
      ImmutableList.of(
          new DraftPlanner(GreedyPlanners.FIRST_FIT, BufferOrder.SIZE, Integer.MAX_VALUE),
          new DraftPlanner(GreedyPlanners.FIRST_FIT, BufferOrder.DURATION, Integer.MAX_VALUE),
          new DraftPlanner(GreedyPlanners.FIRST_FIT, BufferOrder.CONFLICTS, Integer.MAX_VALUE),
          new DraftPlanner(CoverPlanners.PATH_COVER, BufferOrder.SIZE, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.GREEDY_SIZE, BufferOrder.SIZE, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.GREEDY_BREADTH, BufferOrder.SIZE, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.FIRST_FIT, BufferOrder.AREA, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.FIRST_FIT, BufferOrder.START, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.BEST_FIT, BufferOrder.SIZE, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.BEST_FIT, BufferOrder.DURATION, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.BEST_FIT, BufferOrder.START, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.BEST_FIT, BufferOrder.AREA, MANY_BUFFERS),
          new DraftPlanner(GreedyPlanners.BEST_FIT, BufferOrder.CONFLICTS, MANY_BUFFERS),
          new DraftPlanner(CoverPlanners.STACK, BufferOrder.SIZE, MANY_BUFFERS),
          new DraftPlanner(NncPlanners.NNC, BufferOrder.SIZE, MANY_BUFFERS),
          new DraftPlanner(NncPlanners.NNC_INTERFERENCE, BufferOrder.SIZE, SEARCHABLE));

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
    Placement best = problem.bufferCount() > SEARCHABLE ? LargePlanner.sweep(problem) : null;
    if (best != null && isGood(problem, best)) {
      return best.by(NAME);
    }
    int asked = 0;
    for (DraftPlanner draft : DRAFTS) {
      if (problem.bufferCount() > draft.mostBuffers()) {
        continue;
      }
      asked++;
      // The messages of one planner among many, such as a fallback, are of no interest to the user.
      Placement placement =
          draft.planner().place(problem, options.withOrder(draft.order()), new DiagnosticLog());
      best = best == null || placement.arenaBytes() < best.arenaBytes() ? placement : best;
      if (best.isProvedOptimal()) {
        return best.by(NAME);
      }
      if (isGood(problem, best)) {
        break;
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

  private boolean isGood(PlanningProblem problem, Placement draft) {
    return draft.arenaBytes() <= goalOfDraft(problem, draft.lowerBound());
  }

  /** With many buffers, an arena with a small gap to the bound; else the bound. */
  @Override
  public long goalOfDraft(PlanningProblem problem, long lowerBound) {
    return problem.bufferCount() > MANY_BUFFERS
        ? lowerBound + largestSmallGap(problem, lowerBound)
        : lowerBound;
  }

  @Override
  public Placement search(
      PlanningProblem problem, Placement known, PlannerOptions options, DiagnosticLog log) {
    PlannerOptions spent = options.withNodes(options.nodes() / share(problem, known));
    if (problem.bufferCount() <= SEARCHABLE) {
      long start = System.nanoTime();
      Placement boxed = searchBoxes(problem, known, spent);
      long millis = (System.nanoTime() - start) / 1_000_000;
      return new SearchPlanner().search(problem, boxed, spent.afterMillis(millis), log).by(NAME);
    }
    if (LargePlanner.canImprove(problem)) {
      return LargePlanner.improve(problem, known, options).by(NAME);
    }
    boolean isPadding = isPadding(problem, known.arenaBytes() - known.lowerBound());
    if (isPadding && spent.nodes() < problem.bufferCount() / BUFFERS_PER_NODE) {
      log.note(
          Location.nowhere(),
          "no search for a smaller arena: at most the padding of a buffer could be gained, and "
              + spent.nodes()
              + " nodes are few for "
              + problem.bufferCount()
              + " buffers");
      return known.by(NAME);
    }
    Placement repaired = SearchPlanner.lowerPeaks(problem, known, spent.nodes() / REPAIR_SHARE);
    return new SearchPlanner().search(problem, repaired, spent, log).by(NAME);
  }

  /**
   * Places boxes instead of buffers, which are several times as many: boxes without a hole first,
   * and as long as the gap is not reached, boxes with larger holes.
   */
  private Placement searchBoxes(PlanningProblem problem, Placement known, PlannerOptions options) {
    Placement best = searchBoxes(problem, known, /* tolerance= */ 0, options);
    long before = 0;
    for (long divisor : TOLERANCES) {
      long tolerance = known.lowerBound() / divisor / problem.alignment() * problem.alignment();
      if (tolerance > before && !options.gap().accepts(best)) {
        best = searchBoxes(problem, best, tolerance, options);
      }
      before = tolerance;
    }
    return best;
  }

  private Placement searchBoxes(
      PlanningProblem problem, Placement known, long tolerance, PlannerOptions options) {
    Optional<BoxedProblem> boxed =
        LargePlanner.box(problem, tolerance, options.nodes() / BOX_SHARE);
    if (boxed.isEmpty()) {
      return known;
    }
    PlannerOptions part = options.withNodes(options.nodes() / BOXED_SHARE);
    Placement placed = place(boxed.get().problem(), part, new DiagnosticLog());
    Placement unpacked = boxed.get().unpack(placed, known);
    boolean isSmaller = unpacked.arenaBytes() < known.arenaBytes();
    return isSmaller ? unpacked : known.withNodes(unpacked.nodes());
  }

  /** Whether little can be gained. */
  private static boolean isGapSmall(PlanningProblem problem, Placement placement) {
    long gap = placement.arenaBytes() - placement.lowerBound();
    return gap <= largestSmallGap(problem, placement.lowerBound());
  }

  /**
   * The largest gap that is less than a thousandth of the lower bound, or at most the alignment, so
   * that it may be mere padding.
   */
  private static long largestSmallGap(PlanningProblem problem, long lowerBound) {
    long padding = problem.alignment() > 1 ? problem.alignment() : 0;
    return Math.max(padding, Math.max(0, lowerBound - 1) / SMALL_GAP);
  }

  private static boolean isPadding(PlanningProblem problem, long gap) {
    return problem.alignment() > 1 && gap <= problem.alignment();
  }

  /** The divisor of the budget for the gap between a draft and its lower bound. */
  private static int share(PlanningProblem problem, Placement draft) {
    if (isPadding(problem, draft.arenaBytes() - draft.lowerBound())) {
      return problem.bufferCount() > MANY_BUFFERS ? PADDING_OF_MANY_SHARE : PADDING_SHARE;
    }
    return isGapSmall(problem, draft) || problem.bufferCount() > SEARCHABLE ? SMALL_GAP_SHARE : 1;
  }
}
