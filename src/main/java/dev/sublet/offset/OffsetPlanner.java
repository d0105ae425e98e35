package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.Region;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.FeedAlias;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.offset.merge.CoalescingChoices;
import dev.sublet.offset.merge.MergedWebs;
import dev.sublet.offset.merge.PlannedWebs;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Plans the arenas of a program: the entry point of this package. */
public final class OffsetPlanner {

  private final PlannedWebs webs;
  private final OffsetOptions options;
  private final DiagnosticLog log;
  private final AccessOrder order;
  private final Planner planner;

  private OffsetPlanner(
      PlannedWebs webs, OffsetOptions options, AccessOrder order, DiagnosticLog log) {
    this.webs = webs;
    this.options = options;
    this.log = log;
    this.order = order;
    this.planner = Planners.of(options.planner());
  }

  /**
   * Plans a program's arenas, one per memory space or pool. It plans with and without in-place
   * pairs and views, as far as the options allow them, and takes the best layout, see {@link
   * Layout#best}; of equal ones, the one that shares more bytes. With many buffers, it tries no
   * further way after a draft that is good enough, see {@link Planner#goalOfDraft}. Step arenas are
   * planned first, and take the webs that fit into them. If an arena within the gap does not fit
   * its capacity, plans again without a gap.
   *
   * @param sha256 tells the SHA-256 of the serialized program, once the layout is found
   * @throws ProgramException if the options name an unknown planner, or a result cannot have the
   *     buffer of a feed as an alias demands
   */
  public static OffsetPlan plan(
      ProgramFacts program, OffsetOptions options, Supplier<String> sha256, DiagnosticLog log) {
    DiagnosticLog own = new DiagnosticLog();
    OffsetPlan planned = planOnce(program, options, sha256, own);
    if (!options.search().gap().isNone() && Capacity.mightFit(planned.plan(), options.capacity())) {
      own = new DiagnosticLog();
      PlannerOptions exact = options.search().withGap(Gap.NONE);
      planned = planOnce(program, options.withSearch(exact), sha256, own);
    }
    log.addAll(own);
    return planned;
  }

  /**
   * Returns a lower bound on the arena of every plan of a program without branches and loops, in
   * which operators run one after the other. Nothing is placed. As fast as {@link
   * CoalescingChoices#find}.
   *
   * @return empty if there would be several arenas
   */
  public static OptionalLong lowerBound(ProgramFacts program, OffsetOptions options) {
    ProgramFacts facts = program.forOffsets();
    PlannedWebs webs = PlannedWebs.of(facts, options.alignment(), /* hasStepArenas= */ false);
    if (webs.usedPlaces().size() != 1 || !options.pools().isEmpty()) {
      return OptionalLong.empty();
    }
    AccessOrder order =
        AccessOrder.of(ExecutionOrder.SEQUENTIAL, facts.liveness(), new DiagnosticLog());
    return OptionalLong.of(waysToMerge(webs, order, facts.catalog(), options).lowerBound());
  }

  private static CoalescingChoices waysToMerge(
      PlannedWebs webs, AccessOrder order, OperatorCatalog catalog, OffsetOptions options) {
    return CoalescingChoices.find(
        webs, order, options.inPlace() ? catalog : null, options.views(), options.alignment());
  }

  private static OffsetPlan planOnce(
      ProgramFacts program, OffsetOptions options, Supplier<String> sha256, DiagnosticLog log) {
    // Without the reads of shapes alone, there are other webs. All web numbers below must mean
    // these.
    ProgramFacts facts =
        options.order() == ExecutionOrder.SEQUENTIAL ? program.forOffsets() : program.forBytes();
    AccessOrder order = AccessOrder.of(options.order(), facts.liveness(), log);
    // If operators run at the same time, the end of a scope is not a point in time. If there are
    // several pools, no option states which pool has room for step arenas.
    boolean hasStepArenas = !order.isParallel() && options.pools().isEmpty();
    PlannedWebs all = PlannedWebs.of(facts, options.alignment(), hasStepArenas);
    checkAliases(all);
    ImmutableList<StepArena> steps = planSteps(all, facts.catalog(), options, order, log);
    PlannedWebs rest = all.only(web -> isOutside(steps, web), all.usedPlaces());
    OffsetPlanner planner = new OffsetPlanner(rest, options, order, log);
    Layout best = planner.layOutBest(facts.catalog());
    ImmutableList.Builder<Arena> arenas = ImmutableList.<Arena>builder().addAll(best.arenas());
    ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
    aliases.addAll(best.merged().aliases());
    long nodes = best.nodes();
    for (StepArena step : steps) {
      arenas.add(step.arena());
      aliases.addAll(step.aliases());
      nodes += step.nodes();
    }
    MemoryPlan plan =
        new MemoryPlan(
            sha256.get(),
            planner.planner.name(),
            facts.sizes().batch(),
            options.order(),
            arenas.build(),
            planner.allocations(best, steps),
            all.unplanned(),
            aliases.build());
    return new OffsetPlan(plan, nodes);
  }

  /** Demands that the feed and the result of each alias have offsets. */
  private static void checkAliases(PlannedWebs webs) {
    for (FeedAlias alias : webs.liveness().observation().aliases()) {
      for (int variable : new int[] {alias.feed(), alias.result()}) {
        if (!webs.hasOffset(variable)) {
          throw ProgramException.usage(
              "--alias names '"
                  + Names.display(webs.program().variable(variable).name())
                  + "', which has no offset: "
                  + webs.reason(variable));
        }
      }
    }
  }

  /**
   * Plans an arena for each loop and memory space of variables that are kept once per iteration.
   * Inner loops come first: a web that fits into the inner arena need not be in the outer one.
   */
  private static ImmutableList<StepArena> planSteps(
      PlannedWebs webs,
      OperatorCatalog catalog,
      OffsetOptions options,
      AccessOrder order,
      DiagnosticLog log) {
    BitSet loops = new BitSet();
    for (Variable variable : webs.program().variables()) {
      int block = webs.stepBlock(variable.index());
      if (block != 0 && webs.hasOffset(variable.index())) {
        loops.set(webs.graph().regionOfBlock(block));
      }
    }
    List<StepArena> steps = new ArrayList<>();
    for (int loop = loops.length() - 1; loop > 0; loop = loops.previousSetBit(loop - 1)) {
      Region region = webs.graph().region(loop);
      for (String place : webs.usedPlaces(region.block())) {
        PlannedWebs kept =
            webs.only(web -> isKept(webs, web, region.block(), place), ImmutableList.of(place));
        OffsetOptions wholeBlocks = options.withHierarchical(false);
        Layout layout = new OffsetPlanner(kept, wholeBlocks, order, log).layOutBest(catalog);
        PlannedWebs others =
            webs.only(web -> isOutside(steps, web) && !layout.isPlaced(web), webs.usedPlaces());
        steps.add(StepArena.of(region, layout, others, options.alignment()));
      }
    }
    return ImmutableList.copyOf(steps);
  }

  private static boolean isKept(PlannedWebs webs, int web, int block, String place) {
    int variable = webs.variable(web);
    return variable >= 0 && webs.stepBlock(variable) == block && webs.place(variable).equals(place);
  }

  private static boolean isOutside(List<StepArena> steps, int web) {
    for (StepArena step : steps) {
      if (step.contains(web)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Drafts a layout for each way to merge webs until one is good enough, and improves the drafts
   * that can become smaller than the best by more than the gap; with pools, only the best one. The
   * improved drafts share the budget of the search equally.
   */
  private Layout layOutBest(OperatorCatalog catalog) {
    CoalescingChoices ways = waysToMerge(webs, order, catalog, options);
    LayoutPlanner layouts = new LayoutPlanner(webs, options, planner, order, log);
    List<Layout> drafts = new ArrayList<>();
    // The last way first: of equal layouts, the last one is taken.
    for (MergedWebs way : ways.all().reverse()) {
      Layout draft = layouts.draft(way);
      drafts.add(0, draft);
      if (isEnough(draft, ways)) {
        break;
      }
    }
    Layout best = drafts.get(0);
    for (Layout draft : drafts) {
      best = best.best(draft);
    }
    if (!options.pools().isEmpty()) {
      return best.best(layouts.improve(best)).withLowerBounds(/* isOnlyWay= */ false, ways);
    }
    return improveAll(drafts, best, ways).withLowerBounds(ways.all().size() == 1, ways);
  }

  /** Whether another way could gain at most what the planner neglects in a draft. */
  private boolean isEnough(Layout draft, CoalescingChoices ways) {
    if (!options.pools().isEmpty() || draft.parts().size() != 1) {
      return false;
    }
    PlanningProblem problem = draft.parts().get(0).problem();
    return draft.arenaBytes() <= planner.goalOfDraft(problem, ways.lowerBound());
  }

  private Layout improveAll(List<Layout> drafts, Layout bestDraft, CoalescingChoices ways) {
    Gap gap = options.search().gap();
    long enough = gap.largestArena(ways.lowerBound());
    List<Layout> improvable = new ArrayList<>();
    for (Layout draft : drafts) {
      if (gap.largestArena(draft.lowerBound()) < bestDraft.arenaBytes()) {
        improvable.add(draft);
      }
    }
    long nodes = options.search().nodes() / Math.max(1, improvable.size());
    OffsetOptions each = options.withSearch(options.search().withNodes(nodes));
    LayoutPlanner layouts = new LayoutPlanner(webs, each, planner, order, log);
    Layout best = bestDraft;
    List<Layout> improved = new ArrayList<>();
    for (Layout draft : improvable) {
      if (best.arenaBytes() > enough && gap.largestArena(draft.lowerBound()) < best.arenaBytes()) {
        Layout layout = improve(draft, improved, layouts);
        improved.add(layout);
        best = best.best(layout);
      }
    }
    return best;
  }

  /**
   * Improves a draft. If an improved layout has the same buffers, the draft gets the offsets of
   * that one.
   */
  private static Layout improve(Layout draft, List<Layout> improved, LayoutPlanner layouts) {
    for (Layout earlier : improved) {
      if (draft.placesTheSame(earlier)) {
        return draft.placedLike(earlier);
      }
    }
    return layouts.improve(draft);
  }

  private ImmutableList<Allocation> allocations(Layout layout, ImmutableList<StepArena> steps) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    LiveRanges ranges = webs.ranges();
    for (Variable variable : webs.program().variables()) {
      int index = variable.index();
      if (!webs.hasOffset(index)) {
        continue;
      }
      for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
        int step = step(index, web, steps);
        allocations.add(
            step < 0
                ? allocation(variable, web, layout)
                : steps.get(step).allocation(variable, web, layout.arenas().size() + step));
      }
    }
    return allocations.build();
  }

  /**
   * The index of the step arena that contains a web, or that a web without bytes belongs to; -1 for
   * none.
   */
  private int step(int variable, int web, ImmutableList<StepArena> steps) {
    for (int i = 0; i < steps.size(); i++) {
      Arena arena = steps.get(i).arena();
      boolean isKeptHere =
          webs.stepBlock(variable) == arena.stepOfBlock()
              && webs.place(variable).equals(arena.place());
      if (isKeptHere || steps.get(i).contains(web)) {
        return i;
      }
    }
    return -1;
  }

  private Allocation allocation(Variable variable, int web, Layout layout) {
    int arena =
        webs.isPlanned(web)
            ? layout.arena(web)
            : layout.firstArena(webs.place(variable.index())); // it has no bytes
    Allocation allocation =
        new Allocation(
            variable.id(),
            arena,
            layout.offset(web),
            webs.bytes(web),
            layout.merged().intervals(web));
    return allocation.withSlots(webs.slots(variable.index()));
  }
}
