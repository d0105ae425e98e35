package dev.sublet.verify.plan;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The allocations of a plan, found by variable and point.
 *
 * <p>Allocations of variables that the program does not declare, or in arenas that the plan lacks,
 * are left out. A live interval is one live range of an allocation.
 *
 * <pre>
 *   x has allocation 0 in [1, 4) and allocation 1 in [6, 9)     at(x, 2) = 0, at(x, 5) = NONE
 * </pre>
 */
final class PlacedAllocations {

  /** No allocation. */
  static final int NONE = -1;

  private record LiveInterval(int variable, int begin, int end, int allocation) {}

  private final ImmutableList<Allocation> allocations;
  private final int[] variables;
  private final int[] firstInterval;
  private final int[] begins;
  private final int[] ends;
  private final int[] owners;

  /** Sorts the live ranges of a plan. O(n log n). */
  PlacedAllocations(Program program, MemoryPlan plan) {
    this.allocations = plan.allocations();
    this.variables = new int[allocations.size()];
    List<LiveInterval> intervals = new ArrayList<>();
    for (int a = 0; a < variables.length; a++) {
      Allocation allocation = allocations.get(a);
      variables[a] = find(program, plan, allocation);
      for (Interval interval : allocation.live()) {
        if (variables[a] != Program.NO_VARIABLE) {
          intervals.add(new LiveInterval(variables[a], interval.begin(), interval.end(), a));
        }
      }
    }
    intervals.sort(
        Comparator.comparingInt(LiveInterval::variable).thenComparingInt(LiveInterval::begin));
    this.firstInterval = new int[program.variableCount() + 1];
    this.begins = new int[intervals.size()];
    this.ends = new int[intervals.size()];
    this.owners = new int[intervals.size()];
    for (int i = 0; i < begins.length; i++) {
      LiveInterval interval = intervals.get(i);
      begins[i] = interval.begin();
      ends[i] = interval.end();
      owners[i] = interval.allocation();
      firstInterval[interval.variable() + 1]++;
    }
    for (int v = 0; v < program.variableCount(); v++) {
      firstInterval[v + 1] += firstInterval[v];
    }
  }

  private static int find(Program program, MemoryPlan plan, Allocation allocation) {
    int block = allocation.variable().block();
    boolean known =
        0 <= block
            && block < program.blocks().size()
            && 0 <= allocation.arena()
            && allocation.arena() < plan.arenas().size();
    return known ? program.declared(block, allocation.variable().name()) : Program.NO_VARIABLE;
  }

  int size() {
    return variables.length;
  }

  Allocation get(int allocation) {
    return allocations.get(allocation);
  }

  /** Returns the variable of an allocation, or {@link Program#NO_VARIABLE} if it was left out. */
  int variable(int allocation) {
    return variables[allocation];
  }

  /** Whether the variable has an allocation. */
  boolean isPlanned(int variable) {
    return firstInterval[variable] < firstInterval[variable + 1];
  }

  /** Returns the allocation of the variable at a point, or {@link #NONE}. O(log live ranges). */
  int at(int variable, int point) {
    int from = firstInterval[variable];
    int to = firstInterval[variable + 1];
    int found = Arrays.binarySearch(begins, from, to, point);
    int interval = found >= 0 ? found : -found - 2;
    return interval >= from && point < ends[interval] ? owners[interval] : NONE;
  }

  /** Returns the end of the live range that the variable has at a point. O(log live ranges). */
  int endAt(int variable, int point) {
    int from = firstInterval[variable];
    int found = Arrays.binarySearch(begins, from, firstInterval[variable + 1], point);
    return ends[found >= 0 ? found : -found - 2];
  }

  /** Whether the variable has no live range from a point on. O(1). */
  boolean isOver(int variable, int point) {
    int last = firstInterval[variable + 1] - 1;
    return last < firstInterval[variable] || ends[last] <= point;
  }

  /** Whether the variable's live ranges are disjoint, within and among its allocations. */
  boolean isUnambiguous(int variable) {
    for (int i = firstInterval[variable] + 1; i < firstInterval[variable + 1]; i++) {
      if (begins[i] < ends[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** Whether two allocations are the same bytes of the same arena, with the same views. */
  boolean areIdentical(int a, int b) {
    Allocation first = allocations.get(a);
    Allocation second = allocations.get(b);
    return first.arena() == second.arena()
        && first.offset() == second.offset()
        && first.bytes() == second.bytes()
        && first.slots() == second.slots()
        && first.views().equals(second.views());
  }
}
