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
 * NNC's tensor allocation in its newer form. It takes the largest tensors first; of equal ones, the
 * one that interferes with the most others, then the one with the lower index.
 *
 * <p>While tensors of the largest size are left, the first of them that fits into the bytes of the
 * allocation graph is inserted. If none fits, the first one is inserted and the arena grows. {@link
 * AllocationBuilder} states where it looks for bytes, and how that differs from the document. At
 * the end each buffer moves down to its lowest free offset, which is an addition here.
 *
 * <p>For n buffers, e edges of the graph that are free at one point, and r growths of the arena
 * within one size: O(n (e + log n)), plus O(n) for each of the r growths. Problems that are too
 * large are left to {@link GreedyPlanners#GREEDY_SIZE}, which is logged.
 *
 * <p>Source: "The NNC Tensor Allocation Algorithm" (nnc-alloc.rst), Candidate Selection, in its
 * version after the change from interference to size. Here the degree of a tensor is that in the
 * whole interference graph; NNC's code counts only tensors that are not inserted yet.
 */
final class NncPlanner implements Planner {

  static final String NAME = "nnc";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return AllocationBuilder.place(
        NAME, NncPlanner::insertAll, AllocationBuilder.MAX_WORK, problem, options, log);
  }

  /**
   * Inserts all buffers in the document's order; stops early if the builder's work limit is
   * reached.
   */
  static void insertAll(PlanningProblem problem, AllocationBuilder builder) {
    int[] order = order(problem, builder.interference());
    int begin = 0;
    while (begin < order.length && !builder.isWorkUp()) {
      int end = begin + 1;
      while (end < order.length && problem.size(order[end]) == problem.size(order[begin])) {
        end++;
      }
      insertEquals(order, begin, end, builder);
      begin = end;
    }
  }

  private static int[] order(PlanningProblem problem, InterferenceGraph interference) {
    return BufferOrder.sortUnpinned(
        problem,
        Comparator.<Integer>comparingLong(buffer -> -problem.size(buffer))
            .thenComparingInt(buffer -> -interference.degree(buffer)));
  }

  /**
   * Inserts candidates of one size. The document tries all of them again after each insertion. But
   * a candidate that did not fit does not fit until the arena has grown, so one pass per growth
   * gives the same result.
   */
  private static void insertEquals(int[] order, int begin, int end, AllocationBuilder builder) {
    int left = end - begin;
    boolean hasGrown = false;
    while (left > 0 && !builder.isWorkUp()) {
      int kept = 0;
      for (int i = begin; i < begin + left; i++) {
        int buffer = order[i];
        boolean mayFit = !hasGrown || builder.mayUseGrowth(buffer);
        if (!mayFit || !builder.insert(buffer)) {
          order[begin + kept++] = buffer;
        }
      }
      builder.spend(left);
      left = kept;
      if (left > 0) {
        builder.open(order[begin]);
        hasGrown = true;
        left--;
        System.arraycopy(order, begin + 1, order, begin, left);
      }
    }
  }
}
