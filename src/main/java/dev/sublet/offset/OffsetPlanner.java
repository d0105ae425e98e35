package dev.sublet.offset;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.common.primitives.ImmutableIntArray;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans the arenas of a program: the front door. */
public final class OffsetPlanner {

  /** The planner of whose plans {@link PathCoverGuarantee} says something. */
  public static final String PATH_COVER = PathCoverPlanner.NAME;

  private static final ImmutableMap<String, Planner> PLANNERS =
      ImmutableMap.<String, Planner>builder()
          .put(BestPlanner.NAME, new BestPlanner())
          .put(GreedyBySizePlanner.NAME, new GreedyBySizePlanner())
          .put(GreedyByBreadthPlanner.NAME, new GreedyByBreadthPlanner())
          .put(BestFitPlanner.NAME, new BestFitPlanner())
          .put(FirstFitPlanner.NAME, new FirstFitPlanner())
          .put(NncPlanner.NAME, new NncPlanner())
          .put(NncInterferencePlanner.NAME, new NncInterferencePlanner())
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
            best.arenas(),
            planner.allocations(best),
            unplanned,
            best.aliases());
    return new OffsetPlan(plan, best.nodes());
  }

  /**
   * Drafts a layout for each way to merge webs, and improves those that can become the smallest.
   */
  private Layout layOutBest(OperatorCatalog catalog) {
    List<Layout> drafts = new ArrayList<>();
    WebMerger merger = merge(null);
    drafts.add(layOut(merger, mergeViews(merger, Views.NONE)));
    if (options.inPlace()) {
      merger = merge(catalog);
      drafts.add(layOut(merger, mergeViews(merger, Views.NONE)));
    }
    for (Views kind : Views.values()) {
      if (kind != Views.NONE && kind.compareTo(options.views()) <= 0) {
        ViewMerger views = mergeViews(merger, kind);
        if (views.hasViews()) {
          drafts.add(layOut(merger, views));
        }
      }
    }
    Layout best = drafts.get(0);
    for (Layout draft : drafts) {
      best = smaller(best, draft);
    }
    ImmutableMap<String, Long> bounds = lowerBounds(merger);
    for (Layout draft : drafts) {
      if (best.arenaBytes() > sum(bounds) && draft.lowerBound() < best.arenaBytes()) {
        best = smaller(best, improve(draft));
      }
    }
    return best.withLowerBounds(drafts.size() == 1, bounds);
  }

  private static long sum(ImmutableMap<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private WebMerger merge(@Nullable OperatorCatalog catalog) {
    return WebMerger.merge(liveness, sizes, lod, places, variableOfWeb, bytesOfWeb, order, catalog);
  }

  private static Layout smaller(Layout best, Layout next) {
    return next.arenaBytes() <= best.arenaBytes() ? next : best;
  }

  /** The buffers of a place, in the order of their problem, and where they are. */
  private record Part(
      String place, ImmutableIntArray buffers, PlanningProblem problem, Placement placement) {}

  /** Where every buffer is, before it is written down web by web. */
  private record Layout(
      WebMerger merger,
      ViewMerger views,
      Buffers buffers,
      ImmutableList<Part> parts,
      ImmutableList<Arena> arenas) {

    long arenaBytes() {
      return parts.stream().mapToLong(part -> part.placement().arenaBytes()).sum();
    }

    /** What this way to merge webs needs at least. */
    long lowerBound() {
      return parts.stream().mapToLong(part -> part.placement().lowerBound()).sum();
    }

    long nodes() {
      return parts.stream().mapToLong(part -> part.placement().nodes()).sum();
    }

    /**
     * The same layout with the bytes that no plan can go below.
     *
     * @param isOnlyWay whether webs can be merged in this way only, so that what was proved of it
     *     holds for all plans
     * @param bounds what holds for all ways, by place
     */
    Layout withLowerBounds(boolean isOnlyWay, ImmutableMap<String, Long> bounds) {
      ImmutableList.Builder<Arena> bounded = ImmutableList.builder();
      for (Part part : parts) {
        long bytes = part.placement().arenaBytes();
        long bound = requireNonNull(bounds.get(part.place()));
        bound = isOnlyWay ? Math.max(bound, part.placement().lowerBound()) : bound;
        bounded.add(new Arena(part.place(), bytes, bound, part.problem().alignment()));
      }
      return new Layout(merger, views, buffers, parts, bounded.build());
    }

    ImmutableList<Alias> aliases() {
      return ImmutableList.<Alias>builder()
          .addAll(merger.aliases())
          .addAll(views.aliases())
          .build();
    }

    /** The offset of every web; 0 for those that are not planned. */
    long[] offsetsOfWebs(int webs) {
      long[] offsetOfBuffer = new long[buffers.count()];
      for (Part part : parts) {
        for (int i = 0; i < part.buffers().length(); i++) {
          offsetOfBuffer[part.buffers().get(i)] = part.placement().offsets().get(i);
        }
      }
      long[] offsetOfWeb = new long[webs];
      for (int web = 0; web < webs; web++) {
        int buffer = buffers.buffer(web);
        offsetOfWeb[web] = buffer < 0 ? 0 : offsetOfBuffer[buffer] + buffers.distance(web);
      }
      return offsetOfWeb;
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
    ImmutableList.Builder<Part> parts = ImmutableList.builder();
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
      Placement draft = planner.draft(problem, options.search(), log);
      parts.add(
          new Part(place, ImmutableIntArray.copyOf(members).subArray(0, count), problem, draft));
    }
    return new Layout(merger, views, buffers, parts.build(), ImmutableList.of());
  }

  private Layout improve(Layout layout) {
    ImmutableList.Builder<Part> parts = ImmutableList.builder();
    for (Part part : layout.parts()) {
      Placement placement =
          planner.improve(part.problem(), part.placement(), options.search(), log);
      parts.add(new Part(part.place(), part.buffers(), part.problem(), placement));
    }
    return new Layout(
        layout.merger(), layout.views(), layout.buffers(), parts.build(), layout.arenas());
  }

  /**
   * The bytes that no plan can go below, by place, whichever in-place pairs and views of the
   * allowed kinds it takes.
   *
   * @param merger of all mergers the one that unites most
   */
  private ImmutableMap<String, Long> lowerBounds(WebMerger merger) {
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
    return Maps.toMap(usedPlaces(), bound::of);
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
    long[] offsets = layout.offsetsOfWebs(ranges.webCount());
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
                offsets[web],
                bytesOfWeb[web],
                layout.merger().intervals(web)));
      }
    }
    return allocations.build();
  }
}
