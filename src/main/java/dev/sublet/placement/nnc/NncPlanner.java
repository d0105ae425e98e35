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
 * NNC's tensor allocation in its newer form: the largest tensors first, of equal ones that which
 * interferes with most, then the lower index.
 *
 * <p>While tensors of the largest size are left, the first of them for which the allocation graph
 * has bytes is inserted; if it has them for none, the first is inserted and the arena grows. Where
 * bytes are looked for, and what is ours there, is said at {@link AllocationBuilder}; at the end
 * each buffer is dropped to its lowest free offset, which is ours too.
 *
 * <p>Takes time for n buffers, e edges of the graph that are free at one point and r times that the
 * arena grows within one size: O(n (e + log n)), plus O(n) for each of r. Too large a problem is
 * left to {@link GreedyPlanners#GREEDY_SIZE}, which is logged.
 *
 * <p>Source: "The NNC Tensor Allocation Algorithm" (nnc-alloc.rst), Candidate Selection, as it is
 * after the change from interference to size. The number of edges of a tensor is that of the whole
 * interference graph; NNC's code counts only tensors that are not inserted yet.
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

  /** The document's selection; stops early if the builder's work is up. */
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
   * Inserts candidates of one size. The document goes through all of them again after each
   * insertion; but those that found no bytes find none until the arena has grown, so that one pass
   * for each growth does the same.
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
