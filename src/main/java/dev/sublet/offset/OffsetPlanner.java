package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.merge.ViewBound;
import dev.sublet.offset.merge.ViewMerger;
import dev.sublet.offset.merge.Views;
import dev.sublet.offset.merge.WebMerger;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Planner;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans the arenas of a program: the front door. */
public final class OffsetPlanner {

  private static final ImmutableList<String> PLACES = ImmutableList.of("cpu", "gpu");

  private final Program program;
  private final Liveness liveness;
  private final LiveRanges ranges;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final Places places;
  private final OffsetOptions options;
  private final Planner planner;
  private final DiagnosticLog log;
  private final AccessOrder order;

  /**
   * The variable of each web that is planned; -1 for webs without bytes or without a known size.
   */
  private final int[] variableOfWeb;

  private final long[] bytesOfWeb;

  private OffsetPlanner(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      OffsetOptions options,
      DiagnosticLog log) {
    this.program = liveness.graph().program();
    this.liveness = liveness;
    this.ranges = liveness.ranges();
    this.sizes = sizes;
    this.lod = lod;
    this.places = places;
    this.options = options;
    this.log = log;
    this.order = AccessOrder.of(options.order(), liveness, log);
    this.variableOfWeb = new int[ranges.webCount()];
    this.bytesOfWeb = WebSizes.find(liveness, sizes);
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
    OffsetPlanner planner =
        new OffsetPlanner(liveness.forBytes(sizes::isKnown), sizes, lod, places, options, log);
    ImmutableList<Unplanned> unplanned = planner.findUnplanned();
    Layout best = planner.layOutBest(catalog);
    MemoryPlan plan =
        new MemoryPlan(
            sha256,
            planner.planner.name(),
            sizes.batch(),
            options.order(),
            best.arenas(),
            planner.allocations(best),
            unplanned,
            best.aliases());
    return new OffsetPlan(plan, best.nodes());
  }

  /**
   * Drafts a layout for each way to merge webs, and improves those that can become the smallest; in
   * pools only the best one.
   */
  private Layout layOutBest(OperatorCatalog catalog) {
    LayoutPlanner layouts =
        new LayoutPlanner(
            liveness,
            places,
            variableOfWeb,
            bytesOfWeb,
            options,
            planner,
            order,
            usedPlaces(),
            log);
    List<Layout> drafts = new ArrayList<>();
    WebMerger merger = merge(null);
    drafts.add(layouts.draft(merger, mergeViews(merger, Views.NONE)));
    if (options.inPlace()) {
      merger = merge(catalog);
      drafts.add(layouts.draft(merger, mergeViews(merger, Views.NONE)));
    }
    for (Views kind : Views.values()) {
      if (kind != Views.NONE && kind.compareTo(options.views()) <= 0) {
        ViewMerger views = mergeViews(merger, kind);
        if (views.hasViews()) {
          drafts.add(layouts.draft(merger, views));
        }
      }
    }
    Layout best = drafts.get(0);
    for (Layout draft : drafts) {
      best = best.best(draft);
    }
    ViewBound bound = lowerBound(merger);
    if (!options.pools().isEmpty()) {
      return best.best(layouts.improve(best)).withLowerBounds(/* isOnlyWay= */ false, bound);
    }
    long leastBytes = bound.of(web -> true);
    for (Layout draft : drafts) {
      if (best.arenaBytes() > leastBytes && draft.lowerBound() < best.arenaBytes()) {
        best = best.best(layouts.improve(draft));
      }
    }
    return best.withLowerBounds(drafts.size() == 1, bound);
  }

  private WebMerger merge(@Nullable OperatorCatalog catalog) {
    return WebMerger.merge(liveness, sizes, lod, places, variableOfWeb, bytesOfWeb, order, catalog);
  }

  /** Lists the variables without an offset, and marks the webs of the others. */
  private ImmutableList<Unplanned> findUnplanned() {
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    for (Variable variable : program.variables()) {
      String reason = reasonNotToPlan(variable);
      if (!reason.isEmpty()) {
        unplanned.add(new Unplanned(variable.id(), reason));
      }
      for (int web = ranges.firstWeb(variable.index());
          web < ranges.endWeb(variable.index());
          web++) {
        variableOfWeb[web] = reason.isEmpty() && bytesOfWeb[web] > 0 ? variable.index() : -1;
      }
    }
    return unplanned.build();
  }

  private String reasonNotToPlan(Variable variable) {
    int index = variable.index();
    if (variable.isPersistable()) {
      return "persistable";
    }
    if (variable.kind() != Variable.Kind.TENSOR) {
      return "not a dense tensor";
    }
    if (liveness.graph().pinned().isUnplanned(index)) {
      return liveness.graph().pinned().unplannedReason(index);
    }
    if (!ranges.hasRange(index)) {
      boolean asked = liveness.graph().accesses().isAccessed(index);
      return asked ? "only its shape is read" : "not used";
    }
    return sizes.isKnown(index) ? "" : "size unknown: " + sizes.reason(index);
  }

  private ViewMerger mergeViews(WebMerger merger, Views kind) {
    return ViewMerger.merge(
        liveness,
        sizes,
        lod,
        places,
        variableOfWeb,
        bytesOfWeb,
        merger,
        order,
        kind,
        options.alignment());
  }

  /**
   * What no plan can go below, whichever in-place pairs and views of the allowed kinds it takes.
   *
   * @param merger of all mergers the one that unites most
   */
  private ViewBound lowerBound(WebMerger merger) {
    return ViewBound.of(
        liveness,
        sizes,
        places,
        variableOfWeb,
        bytesOfWeb,
        merger,
        options.views(),
        options.alignment());
  }

  /** The places of the variables that have an offset; one of zero bytes has one too. */
  private ImmutableList<String> usedPlaces() {
    ImmutableList.Builder<String> used = ImmutableList.builder();
    for (String place : PLACES) {
      for (Variable variable : program.variables()) {
        if (reasonNotToPlan(variable).isEmpty() && places.place(variable.index()).equals(place)) {
          used.add(place);
          break;
        }
      }
    }
    return used.build();
  }

  private ImmutableList<Allocation> allocations(Layout layout) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    List<String> arenaPlaces = layout.arenas().stream().map(Arena::place).toList();
    for (Variable variable : program.variables()) {
      if (!reasonNotToPlan(variable).isEmpty()) {
        continue;
      }
      for (int web = ranges.firstWeb(variable.index());
          web < ranges.endWeb(variable.index());
          web++) {
        allocations.add(
            new Allocation(
                variable.id(),
                variableOfWeb[web] < 0
                    ? arenaPlaces.indexOf(places.place(variable.index())) // it has no bytes
                    : layout.arena(web),
                layout.offset(web),
                bytesOfWeb[web],
                layout.merger().intervals(web)));
      }
    }
    return allocations.build();
  }
}
