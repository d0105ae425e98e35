package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.offset.merge.PlannedWebs;
import dev.sublet.placement.greedy.Gaps;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * An arena that each iteration of a loop has once. It contains the variables of the loop that its
 * gradient reads, from their writes to the gradient's reads. Gaps between them take other variables
 * of the loop and of its gradient, as far as that does not make the arena larger.
 *
 * <p>A gap is taken by the largest web first, then by the one that comes first in the program.
 */
final class StepArena {

  /** The offset of a web that is not in the arena. */
  private static final long ELSEWHERE = -1;

  private final PlannedWebs webs;
  private final Layout layout;
  private final Arena arena;

  /** The offsets of the webs in gaps. */
  private final long[] offsets;

  private StepArena(PlannedWebs webs, Layout layout, Arena arena) {
    this.webs = webs;
    this.layout = layout;
    this.arena = arena;
    this.offsets = new long[webs.count()];
    Arrays.fill(offsets, ELSEWHERE);
  }

  /**
   * Makes an arena. O(n log n) for n intervals, and the gaps.
   *
   * @param layout the layout of the kept variables, in one arena
   * @param others the webs that are still to be placed, here or elsewhere
   */
  static StepArena of(Region loop, Layout layout, PlannedWebs others, long alignment) {
    Arena arena = layout.arenas().get(0).forStepsOf(loop.block());
    StepArena step = new StepArena(others, layout, arena);
    List<Integer> candidates = new ArrayList<>();
    for (int web = 0; web < others.count(); web++) {
      int variable = others.variable(web);
      if (variable >= 0
          && others.place(variable).equals(arena.place())
          && step.isOfEitherBody(variable, loop)) {
        candidates.add(web);
      }
    }
    candidates.sort(Comparator.comparingLong((Integer web) -> -others.bytes(web)));
    step.fillGaps(candidates, alignment);
    return step;
  }

  /** Whether a variable is declared in the loop or its gradient, and no iteration keeps it. */
  private boolean isOfEitherBody(int variable, Region loop) {
    ControlFlowGraph graph = webs.graph();
    Variable declared = webs.program().variable(variable);
    int home = Math.max(0, graph.regionOfBlock(declared.block()));
    while (home > 0 && home != loop.index() && graph.region(home).forward() != loop.index()) {
      home = graph.region(home).parent();
    }
    return home > 0
        && webs.stepBlock(variable) == 0
        && !webs.isObserved(variable)
        && !isNamedLikeInput(graph.operation(loop.head()), declared);
  }

  /**
   * Whether an input has the name of a variable: a runtime hides a local variable behind the copy
   * of such an input.
   */
  private static boolean isNamedLikeInput(Operation operation, Variable variable) {
    for (Slot slot : operation.inputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        if (slot.argument(i).equals(variable.name())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Places candidates in the gaps of the arena, as far as they fit. */
  private void fillGaps(List<Integer> candidates, long alignment) {
    LiveRanges ranges = webs.ranges();
    Layout.Part part = layout.parts().get(0);
    PlanningProblem.Builder builder = PlanningProblem.builder(alignment);
    int placed = part.buffers().length;
    for (int buffer = 0; buffer < placed; buffer++) {
      part.problem().copyTo(builder, buffer);
    }
    for (int web : candidates) {
      builder.addBuffer(webs.bytes(web));
      for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
        builder.addInterval(ranges.begin(i), ranges.end(i));
      }
    }
    Gaps gaps = Gaps.lowest(builder.build());
    for (int buffer = 0; buffer < placed; buffer++) {
      gaps.take(buffer, part.placement().offsets().get(buffer));
    }
    for (int i = 0; i < candidates.size(); i++) {
      int web = candidates.get(i);
      long offset = gaps.find(placed + i);
      if (offset <= arena.bytes() - webs.bytes(web)) {
        gaps.take(placed + i, offset);
        offsets[web] = offset;
      }
    }
  }

  Arena arena() {
    return arena;
  }

  /** The number of nodes that searches have visited for it. */
  long nodes() {
    return layout.nodes();
  }

  /** The pairs of variables that share bytes on purpose. */
  ImmutableList<Alias> aliases() {
    return layout.merged().aliases();
  }

  /** Whether a web with bytes is in the arena. */
  boolean contains(int web) {
    return layout.isPlaced(web) || offsets[web] != ELSEWHERE;
  }

  /**
   * Returns the allocation of a web that is in the arena, or has no bytes.
   *
   * @param index the arena's in the plan
   */
  Allocation allocation(Variable variable, int web, int index) {
    boolean inGap = offsets[web] != ELSEWHERE;
    Allocation allocation =
        new Allocation(
            variable.id(),
            index,
            inGap ? offsets[web] : layout.offset(web),
            webs.bytes(web),
            inGap ? webs.ranges().intervals(web) : layout.merged().intervals(web));
    return allocation.withSlots(webs.slots(variable.index()));
  }
}
