package dev.sublet;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.loop.LoopCopyBytes;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.sharing.NameLimits;
import dev.sublet.sharing.SharingOptions.Goal;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Name sharing for a runtime that obeys the plan: shares names only as far as the plan of the new
 * program is as good as the plan of the original.
 *
 * <pre>{@code
 * u = g(f); x = assign(u); while (c) { y = h(x); x = assign(y) }
 * x named f     fewest bytes of names; but x then stays in the location of f, and is copied
 * x named x     x and y take turns in two locations, and nothing is copied
 * }</pre>
 *
 * <p>A plan is better if its loops copy fewer bytes; on a tie, if its arena is smaller. The
 * candidates, of which the first that is no worse than the plan of the original is taken:
 *
 * <ol>
 *   <li>all names are shared that can be;
 *   <li>the variables that a loop moves keep their names;
 *   <li>besides, variables share a name only where the plan of the original has them in one
 *       location. The plan of the original then fits the new program, unless a value lives longer
 *       under its new name because a branch may leave the name unwritten;
 *   <li>all variables that operators in loops or branches use keep their names;
 *   <li>all variables keep their names. The plan is that of the original.
 * </ol>
 *
 * <p>Cost: a plan of the original, and a sharing and a plan for each further candidate. With
 * branches or loops, the plan is made on a second thread beside the first candidate; otherwise it
 * is made only if that candidate is above the lower bound of the original.
 */
final class NamesForPlan {

  /** The number of candidates with limits. */
  private static final int LIMITS = 4;

  private final ProgramFacts before;
  private final TranspileOptions options;

  /** The plan of the original; null until it is needed. */
  private final @Nullable SideTask<PlanCandidate> goal;

  private NamesForPlan(
      ProgramFacts before, TranspileOptions options, @Nullable SideTask<PlanCandidate> goal) {
    this.before = before;
    this.options = options;
    this.goal = goal;
  }

  /**
   * Begins to plan the original on a second thread if it has branches or loops.
   *
   * @param before the original program
   * @return empty if names are not shared for a plan
   */
  static Optional<NamesForPlan> begin(ProgramFacts before, TranspileOptions options) {
    boolean isForPlan =
        options.sharing().goal() == Goal.PLAN && options.loops() == LoopMode.MULTIVIEW;
    if (!isForPlan) {
      return Optional.empty();
    }
    return Optional.of(
        new NamesForPlan(
            before,
            options,
            hasBranchesOrLoops(before) ? SideTask.start(() -> plan(before, options)) : null));
  }

  private static boolean hasBranchesOrLoops(ProgramFacts facts) {
    return facts.liveness().graph().regions().size() > 1;
  }

  private static PlanCandidate plan(ProgramFacts facts, TranspileOptions options) {
    return LoopPasses.plan(facts, options, new DiagnosticLog());
  }

  /**
   * Chooses the names, and logs what the chosen candidate has to say.
   *
   * @param free the program whose names were shared without limits, with its plan
   * @param freeLog the log of that candidate
   */
  RewriteCandidate choose(
      RewriteCandidate free, DiagnosticLog freeLog, Consumer<Stage> stages, DiagnosticLog log) {
    stages.accept(Stage.PLANNING);
    if (isNoWorseThanAny(free.planned(), before, options)) {
      if (goal != null) {
        goal.cancel();
      }
      log.addAll(freeLog);
      return free;
    }
    PlanCandidate planOfOriginal = goal == null ? plan(before, options) : goal.join();
    RewriteCandidate best = free;
    DiagnosticLog bestLog = freeLog;
    for (int step = 1; step <= LIMITS && !isNoWorse(best.planned(), planOfOriginal); step++) {
      ProgramFacts facts = step == 1 ? free.coalesced() : before;
      NameLimits limits =
          switch (step) {
            case 1 -> exceptMoved(facts);
            case 2 -> inLocationsOf(planOfOriginal);
            case 3 -> exceptInInnerBlocks(before);
            default -> none(before.program());
          };
      if (limits.apart().isEmpty() && limits.parts().isEmpty()) {
        continue; // nothing has to keep its name
      }
      DiagnosticLog own = new DiagnosticLog();
      RewriteCandidate candidate = RewriteCandidate.of(facts, limits, options, stages, own);
      if (!isNoWorse(best.planned(), candidate.planned())) {
        best = candidate;
        bestLog = own;
      }
    }
    log.addAll(bestLog);
    if (best.sharing().isLimited()) {
      log.note(
          Location.nowhere(),
          "names are shared for the plan, so that loops copy less or the arena is smaller: they"
              + " take "
              + ByteText.inWords(best.sharing().bytesAfter())
              + "; without --plan, "
              + ByteText.exact(free.sharing().bytesAfter()));
    }
    return best;
  }

  /**
   * Whether no plan of a program can be better: loops copy nothing, and the arena is at the
   * program's lower bound. False without a draft if the arena is above the bound of its own plan,
   * because shared names seldom lower a bound.
   */
  private static boolean isNoWorseThanAny(
      PlanCandidate plan, ProgramFacts facts, TranspileOptions options) {
    if (copiedBytes(plan) > 0 || plan.bytes() > plan.plan().lowerBound()) {
      return false;
    }
    if (!hasBranchesOrLoops(facts) && options.offsets().order() == ExecutionOrder.SEQUENTIAL) {
      OptionalLong bound = OffsetPlanner.lowerBound(facts, options.offsets());
      if (bound.isPresent() && plan.bytes() <= bound.getAsLong()) {
        return true;
      }
    }
    MemoryPlan draft = plan(facts, options.drafting()).plan();
    return plan.bytes() <= draft.lowerBound();
  }

  /**
   * Whether loops copy no more bytes than under another plan and, on a tie, the arena is no larger.
   */
  private static boolean isNoWorse(PlanCandidate plan, PlanCandidate other) {
    double copied = copiedBytes(plan);
    double copiedByOther = copiedBytes(other);
    return copied < copiedByOther || (copied == copiedByOther && plan.bytes() <= other.bytes());
  }

  private static double copiedBytes(PlanCandidate planned) {
    return LoopCopyBytes.of(
        planned.facts().liveness().graph(), planned.facts().sizes(), planned.plan());
  }

  private static NameLimits exceptMoved(ProgramFacts facts) {
    return limits(LoopPasses.carries(facts).uncopiedVariables(), ImmutableIntArray.of());
  }

  /** Lets variables share names if only operators of the entry block use them. O(arguments). */
  private static NameLimits exceptInInnerBlocks(ProgramFacts facts) {
    ControlFlowGraph graph = facts.liveness().graph();
    BitSet apart = new BitSet();
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.regionOfNode(node) != 0) {
        graph.operation(node).addArgumentsTo(apart);
      }
    }
    return limits(apart, ImmutableIntArray.of());
  }

  /** Lets variables share names if a plan has them in one constant location. */
  private static NameLimits inLocationsOf(PlanCandidate planned) {
    ProgramFacts facts = planned.facts();
    BitSet apart = LoopPasses.carries(facts).uncopiedVariables();
    int[] parts = new int[facts.program().variableCount()];
    Map<List<Object>, Integer> locations = new HashMap<>();
    for (Allocation allocation : planned.plan().allocations()) {
      int variable =
          facts.program().declared(allocation.variable().block(), allocation.variable().name());
      List<Object> location = List.of(allocation.arena(), allocation.offset());
      int part = locations.computeIfAbsent(location, unused -> locations.size() + 1);
      if (allocation.views().isPresent() || (parts[variable] != 0 && parts[variable] != part)) {
        apart.set(variable);
      }
      parts[variable] = part;
    }
    return limits(apart, ImmutableIntArray.copyOf(parts));
  }

  private static NameLimits none(Program program) {
    BitSet apart = new BitSet();
    apart.set(0, program.variableCount());
    return limits(apart, ImmutableIntArray.of());
  }

  private static NameLimits limits(BitSet apart, ImmutableIntArray parts) {
    return new NameLimits(
        apart, "the plan copies less, or is smaller, if it keeps its name", parts);
  }
}
