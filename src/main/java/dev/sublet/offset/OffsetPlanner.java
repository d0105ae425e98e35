package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.merge.MergedWebs;
import dev.sublet.offset.merge.PlannedWebs;
import dev.sublet.offset.merge.WaysToMerge;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Planner;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.List;

/** Plans the arenas of a program: the front door. */
public final class OffsetPlanner {

  private final PlannedWebs webs;
  private final OffsetOptions options;
  private final DiagnosticLog log;
  private final AccessOrder order;
  private final Planner planner;

  private OffsetPlanner(PlannedWebs webs, OffsetOptions options, DiagnosticLog log) {
    this.webs = webs;
    this.options = options;
    this.log = log;
    this.order = AccessOrder.of(options.order(), webs.liveness(), log);
    this.planner = Planners.of(options.planner());
  }

  /**
   * Plans a program's arenas, one a place or pool: with and without in-place pairs and views, as
   * far as the options allow them, and takes the best, see {@link Layout#best}; of equal ones the
   * one that shares more.
   *
   * @param sha256 of the serialized program
   * @throws ProgramException if the options name an unknown planner
   */
  public static OffsetPlan plan(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      OperatorCatalog catalog,
      OffsetOptions options,
      String sha256,
      DiagnosticLog log) {
    PlannedWebs webs = PlannedWebs.of(liveness.forBytes(sizes::isKnown), sizes, lod, places);
    OffsetPlanner planner = new OffsetPlanner(webs, options, log);
    Layout best = planner.layOutBest(catalog);
    MemoryPlan plan =
        new MemoryPlan(
            sha256,
            planner.planner.name(),
            sizes.batch(),
            options.order(),
            best.arenas(),
            planner.allocations(best),
            webs.unplanned(),
            best.merged().aliases());
    return new OffsetPlan(plan, best.nodes());
  }

  /**
   * Drafts a layout for each way to merge webs, and improves those that can become the smallest; in
   * pools only the best one.
   */
  private Layout layOutBest(OperatorCatalog catalog) {
    WaysToMerge ways =
        WaysToMerge.find(
            webs, order, options.inPlace() ? catalog : null, options.views(), options.alignment());
    LayoutPlanner layouts = new LayoutPlanner(webs, options, planner, order, log);
    List<Layout> drafts = new ArrayList<>();
    for (MergedWebs way : ways.all()) {
      drafts.add(layouts.draft(way));
    }
    Layout best = drafts.get(0);
    for (Layout draft : drafts) {
      best = best.best(draft);
    }
    if (!options.pools().isEmpty()) {
      return best.best(layouts.improve(best)).withLowerBounds(/* isOnlyWay= */ false, ways);
    }
    long leastBytes = ways.lowerBound(web -> true);
    for (Layout draft : drafts) {
      if (best.arenaBytes() > leastBytes && draft.lowerBound() < best.arenaBytes()) {
        best = best.best(layouts.improve(draft));
      }
    }
    return best.withLowerBounds(drafts.size() == 1, ways);
  }

  private ImmutableList<Allocation> allocations(Layout layout) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    List<String> arenaPlaces = layout.arenas().stream().map(Arena::place).toList();
    LiveRanges ranges = webs.ranges();
    for (Variable variable : webs.program().variables()) {
      int index = variable.index();
      if (!webs.hasOffset(index)) {
        continue;
      }
      for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
        allocations.add(
            new Allocation(
                variable.id(),
                webs.isPlanned(web)
                    ? layout.arena(web)
                    : arenaPlaces.indexOf(webs.place(index)), // it has no bytes
                layout.offset(web),
                webs.bytes(web),
                layout.merged().intervals(web)));
      }
    }
    return allocations.build();
  }
}
