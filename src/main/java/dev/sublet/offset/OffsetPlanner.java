package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Plans the arenas of a program: the front door. */
public final class OffsetPlanner {

  /** The planner of whose plans {@link PathCoverGuarantee} says something. */
  public static final String PATH_COVER = PathCoverPlanner.NAME;

  private static final ImmutableMap<String, Planner> PLANNERS =
      ImmutableMap.<String, Planner>builder()
          .put(GreedyBySizePlanner.NAME, new GreedyBySizePlanner())
          .put(GreedyByBreadthPlanner.NAME, new GreedyByBreadthPlanner())
          .put(BestFitPlanner.NAME, new BestFitPlanner())
          .put(FirstFitPlanner.NAME, new FirstFitPlanner())
          .put(SearchPlanner.NAME, new SearchPlanner())
          .put(StackPlanner.NAME, new StackPlanner())
          .put(PathCoverPlanner.NAME, new PathCoverPlanner())
          .buildOrThrow();

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
    this.planner = planner(options.planner());
  }

  private static Planner planner(String name) {
    Planner named = PLANNERS.get(name);
    if (named == null) {
      throw ProgramException.usage(
          "there is no planner '" + name + "'; known: " + PLANNERS.keySet());
    }
    return named;
  }

  /** The names of the planners. */
  public static ImmutableList<String> plannerNames() {
    return PLANNERS.keySet().asList();
  }

  /**
   * Places the buffers of a problem.
   *
   * @param planner the planner's name
   * @param problem pins do not contradict each other
   * @throws ProgramException if there is no such planner
   */
  public static Placement place(
      String planner, PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return planner(planner).place(problem, options, log);
  }

  /**
   * Plans a program's arenas, one a place: with and without in-place pairs and views, as far as the
   * options allow them, and takes the smallest; of equal ones the one that shares more.
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
            best.arenas,
            planner.allocations(best),
            unplanned,
            best.aliases());
    return new OffsetPlan(plan, best.nodes);
  }

  private Layout layOutBest(OperatorCatalog catalog) {
    WebMerger merger = merge(null);
    Layout best = layOut(merger, mergeViews(merger, Views.NONE));
    if (options.inPlace()) {
      merger = merge(catalog);
      best = smaller(best, layOut(merger, mergeViews(merger, Views.NONE)));
    }
    for (Views kind : Views.values()) {
      if (kind != Views.NONE && kind.compareTo(options.views()) <= 0) {
        ViewMerger views = mergeViews(merger, kind);
        best = views.hasViews() ? smaller(best, layOut(merger, views)) : best;
      }
    }
    return withLowerBounds(best, merger);
  }

  private WebMerger merge(@Nullable OperatorCatalog catalog) {
    return WebMerger.merge(liveness, sizes, lod, places, variableOfWeb, bytesOfWeb, order, catalog);
  }

  private static Layout smaller(Layout best, Layout next) {
    return next.arenaBytes() <= best.arenaBytes() ? next : best;
  }

  /** Where every buffer is, before it is written down web by web. */
  private static final class Layout {
    final WebMerger merger;
    final ViewMerger views;
    final long[] offsetOfWeb;
    final ImmutableList<Arena> arenas;
    final long nodes;

    Layout(
        WebMerger merger,
        ViewMerger views,
        long[] offsetOfWeb,
        ImmutableList<Arena> arenas,
        long nodes) {
      this.merger = merger;
      this.views = views;
      this.offsetOfWeb = offsetOfWeb;
      this.arenas = arenas;
      this.nodes = nodes;
    }

    long arenaBytes() {
      long sum = 0;
      for (Arena arena : arenas) {
        sum += arena.bytes();
      }
      return sum;
    }

    ImmutableList<Alias> aliases() {
      return ImmutableList.<Alias>builder()
          .addAll(merger.aliases())
          .addAll(views.aliases())
          .build();
    }
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

  private Layout layOut(WebMerger merger, ViewMerger views) {
    Buffers buffers = new Buffers(ranges, variableOfWeb, bytesOfWeb, views);
    long[] offsetOfBuffer = new long[buffers.count()];
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    long nodes = 0;
    for (String place : usedPlaces()) {
      PlanningProblem.Builder builder = PlanningProblem.builder(options.alignment());
      int[] members = new int[buffers.count()];
      int count = 0;
      for (int buffer = 0; buffer < members.length; buffer++) {
        if (places.place(variableOfWeb[buffers.firstWeb(buffer)]).equals(place)) {
          members[count++] = buffer;
          buffers.addTo(builder, buffer);
        }
      }
      PlanningProblem problem = builder.build();
      if (order.isParallel()) {
        int[][] webs = buffers.webs(Arrays.copyOf(members, count));
        problem = ConcurrentPairs.separate(problem, webs, order, log);
      }
      Placement placement = planner.place(problem, options.search(), log);
      ImmutableLongArray offsets = placement.offsets();
      nodes += placement.nodes();
      long bytes = 0;
      for (int i = 0; i < count; i++) {
        offsetOfBuffer[members[i]] = offsets.get(i);
        bytes = Math.max(bytes, Math.addExact(offsets.get(i), problem.size(i)));
      }
      arenas.add(new Arena(place, bytes, /* lowerBound= */ 0, options.alignment()));
    }
    long[] offsetOfWeb = new long[ranges.webCount()];
    for (int web = 0; web < offsetOfWeb.length; web++) {
      int buffer = buffers.buffer(web);
      offsetOfWeb[web] = buffer < 0 ? 0 : offsetOfBuffer[buffer] + buffers.distance(web);
    }
    return new Layout(merger, views, offsetOfWeb, arenas.build(), nodes);
  }

  /**
   * The same layout with the bytes that no plan can go below, whichever in-place pairs and views of
   * the allowed kinds it takes.
   *
   * @param merger of all mergers the one that unites most
   */
  private Layout withLowerBounds(Layout layout, WebMerger merger) {
    ViewBound bound =
        ViewBound.of(
            liveness,
            sizes,
            places,
            variableOfWeb,
            bytesOfWeb,
            merger,
            options.views(),
            options.alignment());
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (Arena arena : layout.arenas) {
      arenas.add(
          new Arena(arena.place(), arena.bytes(), bound.of(arena.place()), arena.alignment()));
    }
    return new Layout(
        layout.merger, layout.views, layout.offsetOfWeb, arenas.build(), layout.nodes);
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
    ImmutableList<String> arenaPlaces = usedPlaces();
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
                arenaPlaces.indexOf(places.place(variable.index())),
                layout.offsetOfWeb[web],
                bytesOfWeb[web],
                layout.merger.intervals(web)));
      }
    }
    return allocations.build();
  }
}
