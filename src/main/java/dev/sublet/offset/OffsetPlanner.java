package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
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

  private static final ImmutableMap<String, Planner> PLANNERS =
      ImmutableMap.of(GreedyBySizePlanner.NAME, new GreedyBySizePlanner());

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
    this.variableOfWeb = new int[ranges.webCount()];
    this.bytesOfWeb = WebSizes.find(liveness, sizes);
    Planner named = PLANNERS.get(options.planner());
    if (named == null) {
      throw ProgramException.usage(
          "there is no planner '" + options.planner() + "'; known: " + PLANNERS.keySet());
    }
    this.planner = named;
  }

  /** The names of the planners. */
  public static ImmutableList<String> plannerNames() {
    return PLANNERS.keySet().asList();
  }

  /**
   * Plans a program's arenas, one a place. With in-place pairs allowed, plans with and without them
   * and takes the smaller.
   *
   * @param sha256 of the serialized program
   * @throws ProgramException if the options name an unknown planner
   */
  public static MemoryPlan plan(
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
    Layout apart = planner.layOut(null);
    Layout best = apart;
    if (options.inPlace()) {
      Layout together = planner.layOut(catalog);
      best = together.arenaBytes() <= apart.arenaBytes() ? together : apart;
      best = best.withLowerBounds(together);
    }
    return new MemoryPlan(
        sha256,
        planner.planner.name(),
        sizes.batch(),
        best.arenas,
        planner.allocations(best),
        unplanned,
        best.merger.aliases());
  }

  /** Where every buffer is, before it is written down web by web. */
  private static final class Layout {
    final WebMerger merger;
    final int[] bufferOfWeb;
    final long[] offsetOfBuffer;
    final ImmutableList<Arena> arenas;

    Layout(
        WebMerger merger, int[] bufferOfWeb, long[] offsetOfBuffer, ImmutableList<Arena> arenas) {
      this.merger = merger;
      this.bufferOfWeb = bufferOfWeb;
      this.offsetOfBuffer = offsetOfBuffer;
      this.arenas = arenas;
    }

    long arenaBytes() {
      long sum = 0;
      for (Arena arena : arenas) {
        sum += arena.bytes();
      }
      return sum;
    }

    /** The same layout, with the bounds of one in which more buffers are united. */
    Layout withLowerBounds(Layout other) {
      ImmutableList.Builder<Arena> bounded = ImmutableList.builder();
      for (int i = 0; i < arenas.size(); i++) {
        Arena arena = arenas.get(i);
        long bound = Math.min(arena.lowerBound(), other.arenas.get(i).lowerBound());
        bounded.add(new Arena(arena.place(), arena.bytes(), bound, arena.alignment()));
      }
      return new Layout(merger, bufferOfWeb, offsetOfBuffer, bounded.build());
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

  private Layout layOut(@Nullable OperatorCatalog catalog) {
    WebMerger merger =
        WebMerger.merge(liveness, sizes, lod, places, variableOfWeb, bytesOfWeb, catalog);
    int[] bufferOfWeb = new int[ranges.webCount()];
    int[] webOfBuffer = new int[ranges.webCount()];
    long[] bytesOfBuffer = new long[ranges.webCount()];
    Arrays.fill(bufferOfWeb, -1);
    int buffers = 0;
    IntervalTable.Builder intervals = IntervalTable.builder();
    for (int web = 0; web < ranges.webCount(); web++) {
      if (variableOfWeb[web] < 0) {
        continue;
      }
      int root = merger.representative(web);
      if (bufferOfWeb[root] < 0) {
        webOfBuffer[buffers] = root;
        bufferOfWeb[root] = buffers++;
      }
      int buffer = bufferOfWeb[root];
      bufferOfWeb[web] = buffer;
      bytesOfBuffer[buffer] = Math.max(bytesOfBuffer[buffer], bytesOfWeb[web]);
      for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
        intervals.add(buffer, ranges.begin(i), ranges.end(i));
      }
    }
    return place(
        merger, bufferOfWeb, webOfBuffer, bytesOfBuffer, intervals.build(buffers), buffers);
  }

  private Layout place(
      WebMerger merger,
      int[] bufferOfWeb,
      int[] webOfBuffer,
      long[] bytesOfBuffer,
      IntervalTable intervals,
      int buffers) {
    long[] offsetOfBuffer = new long[buffers];
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (String place : usedPlaces()) {
      PlanningProblem.Builder builder = PlanningProblem.builder(options.alignment());
      int[] members = new int[buffers];
      int count = 0;
      for (int buffer = 0; buffer < buffers; buffer++) {
        if (places.place(variableOfWeb[webOfBuffer[buffer]]).equals(place)) {
          members[count++] = buffer;
          builder.addBuffer(bytesOfBuffer[buffer]);
          for (int i = intervals.firstInterval(buffer); i < intervals.endInterval(buffer); i++) {
            builder.addInterval(intervals.begin(i), intervals.end(i));
          }
        }
      }
      PlanningProblem problem = builder.build();
      long[] offsets = planner.place(problem, log);
      long bytes = 0;
      for (int i = 0; i < count; i++) {
        offsetOfBuffer[members[i]] = offsets[i];
        bytes = Math.max(bytes, Math.addExact(offsets[i], problem.size(i)));
      }
      arenas.add(new Arena(place, bytes, boundFor(place, merger), options.alignment()));
    }
    return new Layout(merger, bufferOfWeb, offsetOfBuffer, arenas.build());
  }

  /**
   * What no plan for the variables of a place can go below, whichever pairs it takes: each web by
   * itself, as small and as short as any choice of pairs could make it.
   */
  private long boundFor(String place, WebMerger merger) {
    PlanningProblem.Builder builder = PlanningProblem.builder(options.alignment());
    for (int web = 0; web < ranges.webCount(); web++) {
      if (variableOfWeb[web] >= 0 && places.place(variableOfWeb[web]).equals(place)) {
        builder.addBuffer(bytesOfWeb[web]);
        for (Interval interval : merger.intervalsForBound(web)) {
          builder.addInterval(interval.begin(), interval.end());
        }
      }
    }
    return LowerBound.of(builder.build());
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
        int buffer = layout.bufferOfWeb[web];
        allocations.add(
            new Allocation(
                variable.id(),
                arenaPlaces.indexOf(places.place(variable.index())),
                buffer < 0 ? 0 : layout.offsetOfBuffer[buffer],
                bytesOfWeb[web],
                layout.merger.intervals(web)));
      }
    }
    return allocations.build();
  }
}
