package dev.sublet.execute;

import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan's allocations by variable and program point. */
final class Placement {

  private final List<List<Allocation>> byVariable = new ArrayList<>();

  /**
   * O(variables + allocations).
   *
   * @throws OperatorException if the plan is not for this program
   */
  Placement(Program program, MemoryPlan plan) {
    for (int i = 0; i < program.variableCount(); i++) {
      byVariable.add(new ArrayList<>(1));
    }
    for (Allocation allocation : plan.allocations()) {
      int block = allocation.variable().block();
      int variable =
          0 <= block && block < program.blocks().size()
              ? program.declared(block, allocation.variable().name())
              : Program.NO_VARIABLE;
      if (variable == Program.NO_VARIABLE) {
        throw new OperatorException(
            "the plan places " + allocation.variable() + ", which the program does not declare");
      }
      checkArena(plan, allocation);
      byVariable.get(variable).add(allocation);
    }
  }

  private static void checkArena(MemoryPlan plan, Allocation allocation) {
    int arena = allocation.arena();
    boolean inside =
        0 <= arena
            && arena < plan.arenas().size()
            && allocation.offset() >= 0
            && allocation.bytes() >= 0
            && allocation.offset() <= plan.arenas().get(arena).bytes() - allocation.bytes();
    if (!inside) {
      throw new OperatorException("the plan places it outside its arena")
          .at(allocation.variable().name());
    }
  }

  /** Whether the plan gives the instance's variable a place at some point. O(1). */
  boolean isPlanned(Cell cell) {
    return cell.variable != null && !byVariable.get(cell.variable.index()).isEmpty();
  }

  /** The place of an instance's variable at a point; null if it has none. O(its intervals). */
  @Nullable Allocation at(Cell cell, int point) {
    if (cell.variable == null) {
      return null;
    }
    for (Allocation allocation : byVariable.get(cell.variable.index())) {
      for (Interval interval : allocation.live()) {
        if (interval.begin() <= point && point < interval.end()) {
          return allocation;
        }
      }
    }
    return null;
  }
}
