package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.runtime.kernel.OperatorException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arenas of a plan and the locations of variables in them. A location depends on the program
 * point and on the number of iterations that loops have completed. If the plan has one arena per
 * iteration of a loop, that arena is in the iteration's scope.
 */
final class ArenaPlacement {

  private final MemoryPlan plan;

  /** The arenas by index; null for an arena per iteration, which is in the iteration's scope. */
  private final List<@Nullable ArenaBytes> arenas = new ArrayList<>();

  private final List<List<Allocation>> byVariable = new ArrayList<>();

  /** The variables of which the plan says that no run makes them. */
  private final Set<VariableId> neverMade = new HashSet<>();

  /** For each block, whether it is the body of a while operator. */
  private final boolean[] isLoop;

  /**
   * For each body block, the iterations that its loop has completed in its current or latest run.
   */
  private final long[] iterations;

  /**
   * Creates arenas full of poison, with no iterations completed. O(variables + operators +
   * allocations + bytes).
   *
   * @throws OperatorException if the plan is not for this program, or an arena is larger than 2 GiB
   */
  ArenaPlacement(Program program, MemoryPlan plan, Numbering numbering) {
    this.plan = plan;
    this.isLoop = loops(program, numbering);
    this.iterations = new long[program.blocks().size()];
    for (int i = 0; i < program.variableCount(); i++) {
      byVariable.add(new ArrayList<>(1));
    }
    for (Allocation allocation : plan.allocations()) {
      int variable = program.declared(allocation.variable());
      if (variable == Program.NO_VARIABLE) {
        throw new OperatorException(
            "the plan places " + allocation.variable() + ", which the program does not declare");
      }
      check(allocation);
      byVariable.get(variable).add(allocation);
    }
    for (Unplanned unplanned : plan.unplanned()) {
      if (unplanned.reason().startsWith(Unplanned.NEVER_MADE)) {
        neverMade.add(unplanned.variable());
      }
    }
    for (Arena arena : plan.arenas()) {
      if (arena.isStep()) {
        checkSteps(program, arena, numbering);
      }
      arenas.add(arena.isStep() ? null : new ArenaBytes(arena.bytes()));
    }
  }

  private static void checkSteps(Program program, Arena arena, Numbering numbering) {
    int block = arena.stepOfBlock();
    if (block < 0 || block >= program.blocks().size() || !numbering.isKept(block)) {
      throw new OperatorException(
          "the plan has an arena for each iteration of block "
              + block
              + ", but no gradient operator visits its iterations");
    }
  }

  private static boolean[] loops(Program program, Numbering numbering) {
    boolean[] isLoop = new boolean[program.blocks().size()];
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (numbering.isFollowed(operation) && numbering.kind(operation) == ControlKind.WHILE) {
          isLoop[operation.blocks().get(0)] = true;
        }
      }
    }
    return isLoop;
  }

  private void check(Allocation allocation) {
    try {
      if (allocation.views().isPresent()) {
        check(allocation, allocation.views().get());
      } else {
        checkInside(allocation, allocation.offset());
      }
    } catch (OperatorException e) {
      throw e.at(allocation.variable().name());
    }
  }

  private void check(Allocation allocation, MultiView view) {
    if (view instanceof MultiView.FixedView fixed) {
      checkInside(allocation, fixed.offset());
      return;
    }
    MultiView.Rotation rotation = (MultiView.Rotation) view;
    if (rotation.block() < 0 || rotation.block() >= isLoop.length || !isLoop[rotation.block()]) {
      throw new OperatorException(
          "the plan moves it with block " + rotation.block() + ", which no while operator runs");
    }
    if (rotation.first().isPresent()) {
      check(allocation, rotation.first().get());
    }
    for (MultiView each : rotation.views()) {
      check(allocation, each);
    }
  }

  private void checkInside(Allocation allocation, long offset) {
    int arena = allocation.arena();
    boolean inside =
        0 <= arena
            && arena < plan.arenas().size()
            && offset >= 0
            && allocation.bytes() >= 0
            && offset <= plan.arenas().get(arena).bytes() - allocation.bytes();
    if (!inside) {
      throw new OperatorException("the plan places it outside its arena");
    }
  }

  /** Sets the number of iterations that the loop with a body block has completed in this run. */
  void setIterations(int block, long count) {
    iterations[block] = count;
  }

  /** Whether the plan gives the instance's variable a location at any point. O(1). */
  boolean isPlanned(Cell cell) {
    return cell.variable != null && !byVariable.get(cell.variable.index()).isEmpty();
  }

  /** Whether the plan says that no run makes the instance's variable. O(1). */
  boolean isNeverMade(Cell cell) {
    return cell.variable != null
        && !neverMade.isEmpty()
        && neverMade.contains(new VariableId(cell.variable.block(), cell.variable.name()));
  }

  /**
   * Returns the bytes of an instance's variable at a point, for the current iteration counts of the
   * loops; null if it has no location there. O(intervals of the variable + depth of loops).
   */
  @Nullable ByteRange at(Cell cell, int point) {
    Allocation allocation = allocation(cell, point);
    return allocation == null ? null : range(cell, allocation);
  }

  /** The number of elements for which an instance, an array, has room at a point where it is. */
  long slots(Cell cell, int point) {
    return requireNonNull(allocation(cell, point), "no location").slots();
  }

  private @Nullable Allocation allocation(Cell cell, int point) {
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

  private ByteRange range(Cell cell, Allocation allocation) {
    long offset = allocation.offset(block -> iterations[block]);
    return new ByteRange(arena(cell, allocation.arena()), offset, allocation.bytes());
  }

  private ArenaBytes arena(Cell cell, int index) {
    ArenaBytes only = arenas.get(index);
    if (only != null) {
      return only;
    }
    Arena arena = plan.arenas().get(index);
    return requireNonNull(cell.scope, "the scope of a declared variable")
        .stepArena(index, arena.stepOfBlock(), arena.bytes());
  }
}
