package dev.sublet.verify;

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
 * A plan's allocations by variable and point, and by the bytes they take. Allocations of variables
 * that the program does not have, or in arenas that the plan does not have, are left out.
 */
final class PlacedAllocations {

  /** No allocation. */
  static final int NONE = -1;

  private record Stretch(int variable, int begin, int end, int allocation) {}

  private final ImmutableList<Allocation> allocations;
  private final int[] variables;
  private final int[] firstStretch;
  private final int[] begins;
  private final int[] ends;
  private final int[] owners;
  private final int[] arenas;
  private final int[] ranks;
  private final List<HeldRegions> regions = new ArrayList<>();

  /** O(n log n). */
  PlacedAllocations(Program program, MemoryPlan plan) {
    this.allocations = plan.allocations();
    this.variables = new int[allocations.size()];
    this.arenas = new int[allocations.size()];
    this.ranks = new int[allocations.size()];
    List<Stretch> stretches = new ArrayList<>();
    for (int a = 0; a < variables.length; a++) {
      Allocation allocation = allocations.get(a);
      variables[a] = find(program, plan, allocation);
      for (Interval interval : allocation.live()) {
        if (variables[a] != Program.NO_VARIABLE) {
          stretches.add(new Stretch(variables[a], interval.begin(), interval.end(), a));
        }
      }
    }
    stretches.sort(Comparator.comparingInt(Stretch::variable).thenComparingInt(Stretch::begin));
    this.firstStretch = new int[program.variableCount() + 1];
    this.begins = new int[stretches.size()];
    this.ends = new int[stretches.size()];
    this.owners = new int[stretches.size()];
    for (int i = 0; i < begins.length; i++) {
      Stretch stretch = stretches.get(i);
      begins[i] = stretch.begin();
      ends[i] = stretch.end();
      owners[i] = stretch.allocation();
      firstStretch[stretch.variable() + 1]++;
    }
    for (int v = 0; v < program.variableCount(); v++) {
      firstStretch[v + 1] += firstStretch[v];
    }
    rankByOffset(plan.arenas().size());
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

  private void rankByOffset(int arenaCount) {
    List<List<Integer>> byArena = new ArrayList<>();
    for (int arena = 0; arena < arenaCount; arena++) {
      byArena.add(new ArrayList<>());
    }
    for (int a = 0; a < variables.length; a++) {
      if (variables[a] != Program.NO_VARIABLE) {
        arenas[a] = allocations.get(a).arena();
        byArena.get(arenas[a]).add(a);
      }
    }
    for (List<Integer> members : byArena) {
      members.sort(Comparator.comparingLong(a -> allocations.get(a).offset()));
      long[] offsets = new long[members.size()];
      long[] regionEnds = new long[members.size()];
      int[] names = new int[members.size()];
      for (int rank = 0; rank < names.length; rank++) {
        names[rank] = members.get(rank);
        offsets[rank] = allocations.get(names[rank]).offset();
        regionEnds[rank] = offsets[rank] + allocations.get(names[rank]).bytes();
        ranks[names[rank]] = rank;
      }
      regions.add(new HeldRegions(offsets, regionEnds, names));
    }
  }

  int size() {
    return variables.length;
  }

  Allocation get(int allocation) {
    return allocations.get(allocation);
  }

  /** The variable of an allocation, or {@link Program#NO_VARIABLE} if it was left out. */
  int variable(int allocation) {
    return variables[allocation];
  }

  boolean isPlanned(int variable) {
    return firstStretch[variable] < firstStretch[variable + 1];
  }

  /** The allocation that the variable has at a point, or {@link #NONE}. O(log stretches). */
  int at(int variable, int point) {
    int from = firstStretch[variable];
    int to = firstStretch[variable + 1];
    int found = Arrays.binarySearch(begins, from, to, point);
    int stretch = found >= 0 ? found : -found - 2;
    return stretch >= from && point < ends[stretch] ? owners[stretch] : NONE;
  }

  /** Whether the variable's stretches are disjoint, within and among its allocations. */
  boolean isUnambiguous(int variable) {
    for (int i = firstStretch[variable] + 1; i < firstStretch[variable + 1]; i++) {
      if (begins[i] < ends[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the two are the same bytes of the same arena. */
  boolean areIdentical(int a, int b) {
    Allocation first = allocations.get(a);
    Allocation second = allocations.get(b);
    return first.arena() == second.arena()
        && first.offset() == second.offset()
        && first.bytes() == second.bytes();
  }

  void hold(int allocation) {
    regions.get(arenas[allocation]).hold(ranks[allocation]);
  }

  void release(int allocation) {
    regions.get(arenas[allocation]).release(ranks[allocation]);
  }

  /** Replaces the list's content by the held allocations that overlap this one's bytes. */
  void findOverlapping(int allocation, IntList found) {
    found.truncate(0);
    regions.get(arenas[allocation]).overlapping(ranks[allocation], found);
  }
}
