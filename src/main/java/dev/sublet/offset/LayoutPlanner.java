package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.merge.ViewMerger;
import dev.sublet.offset.merge.WebMerger;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.offset.order.ConcurrentPairs;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Arena;
import dev.sublet.shape.Places;
import java.util.Arrays;
import java.util.Optional;

/**
 * Plans the arenas of a program once it is known which webs lie on which: one arena a place, or one
 * a pool; all blocks together, or block by block.
 */
final class LayoutPlanner {

  private final Liveness liveness;
  private final Places places;
  private final int[] variableOfWeb;
  private final long[] bytesOfWeb;
  private final OffsetOptions options;
  private final Planner planner;
  private final ImmutableList<String> usedPlaces;
  private final AccessOrder order;
  private final RegionTree tree;
  private final long[] trafficOfWeb;
  private final DiagnosticLog log;

  /**
   * A planner for one program.
   *
   * @param variableOfWeb the variable of each web that is planned; -1 for the others
   * @param usedPlaces the places that get arenas
   */
  LayoutPlanner(
      Liveness liveness,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      OffsetOptions options,
      Planner planner,
      AccessOrder order,
      ImmutableList<String> usedPlaces,
      DiagnosticLog log) {
    this.liveness = liveness;
    this.places = places;
    this.variableOfWeb = variableOfWeb;
    this.bytesOfWeb = bytesOfWeb;
    this.options = options;
    this.planner = planner;
    this.order = order;
    this.usedPlaces = usedPlaces;
    this.tree = RegionTree.of(liveness.graph());
    this.trafficOfWeb =
        options.pools().isEmpty()
            ? new long[bytesOfWeb.length]
            : Traffic.find(liveness, variableOfWeb, bytesOfWeb);
    this.log = log;
  }

  /** Lays out all places as quickly as the planner can. */
  Layout draft(WebMerger merger, ViewMerger views) {
    Buffers buffers = new Buffers(liveness.ranges(), variableOfWeb, bytesOfWeb, views);
    int[] homes = buffers.homes(tree, liveness.graph(), variableOfWeb);
    long[] traffic = traffic(buffers);
    ImmutableList.Builder<Layout.Part> parts = ImmutableList.builder();
    for (String place : usedPlaces) {
      PlanningProblem.Builder builder = PlanningProblem.builder(options.alignment());
      int[] members = new int[buffers.count()];
      int count = 0;
      for (int buffer = 0; buffer < members.length; buffer++) {
        if (places.place(variableOfWeb[buffers.firstWeb(buffer)]).equals(place)) {
          members[count++] = buffer;
          buffers.addTo(builder, buffer);
        }
      }
      members = Arrays.copyOf(members, count);
      PlanningProblem problem = builder.build();
      if (order.isParallel()) {
        problem = ConcurrentPairs.separate(problem, buffers.webs(members), order, log);
      }
      int[] homesOfMembers = new int[count];
      long[] trafficOfMembers = new long[count];
      for (int i = 0; i < count; i++) {
        homesOfMembers[i] = homes[members[i]];
        trafficOfMembers[i] = traffic[members[i]];
      }
      parts.add(
          place.equals(places.main()) && !options.pools().isEmpty()
              ? pooled(place, members, homesOfMembers, problem, trafficOfMembers, this::draft)
              : whole(place, members, homesOfMembers, problem, draft(problem, homesOfMembers)));
    }
    return Layout.of(merger, views, buffers, parts.build());
  }

  /** The layout with all that the planner may spend; in pools, on what the last one holds. */
  Layout improve(Layout layout) {
    ImmutableList.Builder<Layout.Part> parts = ImmutableList.builder();
    for (Layout.Part part : layout.parts()) {
      parts.add(
          part.arenas().get(0).pool().isPresent()
              ? pooled(
                  part.place(),
                  part.buffers(),
                  part.homes(),
                  part.problem(),
                  part.traffic(),
                  this::place)
              : whole(part.place(), part.buffers(), part.homes(), part.problem(), improve(part)));
    }
    return layout.withParts(parts.build());
  }

  private Layout.Part whole(
      String place, int[] buffers, int[] homes, PlanningProblem problem, Placement placement) {
    Arena arena =
        new Arena(place, placement.arenaBytes(), /* lowerBound= */ 0, problem.alignment());
    return new Layout.Part(
        place,
        buffers,
        homes,
        problem,
        new long[buffers.length],
        placement,
        new int[buffers.length],
        ImmutableList.of(arena));
  }

  /** Places buffers of known regions. */
  private interface Step {
    Placement place(PlanningProblem problem, int[] homes);
  }

  private Layout.Part pooled(
      String place,
      int[] buffers,
      int[] homes,
      PlanningProblem problem,
      long[] traffic,
      Step stepForRest) {
    // What lies in a gap of another block's bytes would not be planned block by block.
    boolean withGaps = !options.hierarchical();
    PoolAssignment assignment =
        PoolAssignment.assign(
            problem,
            traffic,
            options.pools(),
            withGaps,
            some -> placeSome(problem, homes, some, this::draft),
            some -> placeSome(problem, homes, some, stepForRest),
            log);
    int[] pools = new int[buffers.length];
    long[] offsets = new long[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      pools[i] = assignment.pool(i);
      offsets[i] = assignment.offset(i);
    }
    long[] sums = PoolAssignment.sumByPool(assignment, traffic);
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    long bytes = 0;
    for (int pool = 0; pool < sums.length; pool++) {
      bytes += assignment.bytes(pool);
      arenas.add(
          new Arena(
              place,
              assignment.bytes(pool),
              /* lowerBound= */ 0,
              problem.alignment(),
              Optional.of(options.pools().get(pool)),
              sums[pool]));
    }
    Placement placement =
        new Placement(
            planner.name(),
            ImmutableLongArray.copyOf(offsets),
            bytes,
            /* lowerBound= */ 0,
            assignment.nodes());
    return new Layout.Part(
        place, buffers, homes, problem, traffic, placement, pools, arenas.build());
  }

  private Placement placeSome(PlanningProblem problem, int[] homes, int[] some, Step step) {
    PlanningProblem.Builder builder = PlanningProblem.builder(options.alignment());
    int[] homesOfSome = new int[some.length];
    for (int i = 0; i < some.length; i++) {
      problem.copyTo(builder, some[i]);
      homesOfSome[i] = homes[some[i]];
    }
    return step.place(builder.build(), homesOfSome);
  }

  /** The traffic of every buffer: that of its webs. */
  private long[] traffic(Buffers buffers) {
    long[] traffic = new long[buffers.count()];
    for (int web = 0; web < trafficOfWeb.length; web++) {
      int buffer = buffers.buffer(web);
      if (buffer >= 0) {
        traffic[buffer] = LongMath.saturatedAdd(traffic[buffer], trafficOfWeb[web]);
      }
    }
    return traffic;
  }

  /**
   * A quick placement of the buffers of all blocks together, or block by block. Together they need
   * never more than block by block, but a planner that does not find that out is told.
   */
  private Placement draft(PlanningProblem problem, int[] homes) {
    // Where operators run at the same time, a block's bytes are not those of a stretch of time.
    boolean differs = !order.isParallel() && RecursivePlacement.differs(problem, homes);
    if (options.hierarchical() && differs) {
      return recursive(problem, homes, planner::draft);
    }
    Placement together = planner.draft(problem, options.search(), log);
    if (together.isProvedOptimal() || !differs) {
      return together;
    }
    Placement recursive = recursive(problem, homes, planner::draft);
    Placement smaller = recursive.arenaBytes() < together.arenaBytes() ? recursive : together;
    return new Placement(
        planner.name(),
        smaller.offsets(),
        smaller.arenaBytes(),
        together.lowerBound(),
        together.nodes() + recursive.nodes());
  }

  private Placement improve(Layout.Part part) {
    if (options.hierarchical() && RecursivePlacement.differs(part.problem(), part.homes())) {
      return recursive(part.problem(), part.homes(), planner::place);
    }
    return planner.improve(part.problem(), part.placement(), options.search(), log);
  }

  private Placement place(PlanningProblem problem, int[] homes) {
    if (options.hierarchical() && RecursivePlacement.differs(problem, homes)) {
      return recursive(problem, homes, planner::place);
    }
    return planner.improve(problem, draft(problem, homes), options.search(), log);
  }

  /** One of the ways in which a planner places a problem. */
  private interface Way {
    Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log);
  }

  private Placement recursive(PlanningProblem problem, int[] homes, Way way) {
    return RecursivePlacement.place(
        problem, tree, homes, planner.name(), region -> way.place(region, options.search(), log));
  }
}
