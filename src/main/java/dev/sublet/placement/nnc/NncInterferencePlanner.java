package dev.sublet.placement.nnc;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.InterferenceGraph;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Comparator;

/**
 * NNC's tensor allocation in its older form. It takes the tensors that interfere with the most
 * others first, in tuples of up to three tensors that do not interfere with each other and get one
 * offset.
 *
 * <p>{@link TupleCandidates} selects the tuples. {@link AllocationBuilder} states where it looks
 * for bytes, and how that differs from the document. At the end each buffer moves down to its
 * lowest free offset, which is an addition here.
 *
 * <p>For n buffers, at most c of the same degree in the interference graph, and e edges of the
 * allocation graph that are free at one point: O(n (c + e + log n)), plus O(c (e + log c)) for each
 * time that the arena grows again. The search for partners can take O(n) for each buffer. Problems
 * that are too large are left to {@link GreedyPlanners#GREEDY_SIZE}, which is logged.
 *
 * <p>Source: "The NNC Tensor Allocation Algorithm", Candidate Selection, before the change from
 * interference to size.
 */
final class NncInterferencePlanner implements Planner {

  static final String NAME = "nnc-interference";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return AllocationBuilder.place(
        NAME, NncInterferencePlanner::insertAll, AllocationBuilder.MAX_WORK, problem, options, log);
  }

  /**
   * Inserts all buffers in the document's order; stops early if the builder's work limit is
   * reached.
   */
  static void insertAll(PlanningProblem problem, AllocationBuilder builder) {
    InterferenceGraph interference = builder.interference();
    TupleCandidates candidates = new TupleCandidates(problem, interference);
    int[] order = byDegree(problem, interference);
    int begin = 0;
    while (begin < order.length && !builder.isWorkUp()) {
      int end = begin + 1;
      int degree = interference.degree(order[begin]);
      while (end < order.length && interference.degree(order[end]) == degree) {
        end++;
      }
      candidates.start(order, begin, end);
      insertCandidates(candidates, builder);
      begin = end;
    }
  }

  private static void insertCandidates(TupleCandidates candidates, AllocationBuilder builder) {
    while (candidates.refresh() && !builder.isWorkUp()) {
      boolean isInserted = false;
      while (!isInserted && candidates.hasUntried()) {
        isInserted = builder.insert(candidates.best());
        if (!isInserted) {
          candidates.rejectBest();
        }
      }
      if (!isInserted) {
        candidates.untryAll();
        builder.open(candidates.best());
      }
      candidates.insertBest();
      if (!isInserted) {
        candidates.rejectAll(largest -> !builder.mayUseGrowth(largest));
      }
      builder.spend(candidates.takeWork());
    }
  }

  private static int[] byDegree(PlanningProblem problem, InterferenceGraph interference) {
    return BufferOrder.sortUnpinned(
        problem, Comparator.comparingInt(buffer -> -interference.degree(buffer)));
  }
}
