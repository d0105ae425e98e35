package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.offset.merge.MergedWebs;
import dev.sublet.offset.merge.PlannedWebs;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.offset.order.ConcurrentPairs;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Arena;
import java.util.Arrays;
import java.util.Optional;

/**
 * Plans the arenas of a program once it is known which webs share bytes: one arena per memory
 * space, or one per pool; all blocks together, or block by block.
 */
final class LayoutPlanner {

  private final PlannedWebs webs;
  private final OffsetOptions options;
  private final BlockwisePlanner planner;
  private final ImmutableList<String> usedPlaces;
  private final AccessOrder order;
  private final RegionTree tree;
  private final long[] trafficOfWeb;
  private final DiagnosticLog log;

  /** Makes a planner for one program. */
  LayoutPlanner(
      PlannedWebs webs,
      OffsetOptions options,
      Planner planner,
      AccessOrder order,
      DiagnosticLog log) {
    this.webs = webs;
    this.options = options;
    this.order = order;
    this.usedPlaces = webs.usedPlaces();
    this.tree = RegionTree.of(webs.graph());
    this.planner =
        new BlockwisePlanner(
            planner, tree, options.search(), options.hierarchical(), order.isParallel(), log);
    this.trafficOfWeb = options.pools().isEmpty() ? new long[webs.count()] : WebTraffic.find(webs);
    this.log = log;
  }

  /** Lays out all memory spaces as quickly as the planner can. */
  Layout draft(MergedWebs merged) {
    Buffers buffers = new Buffers(webs, merged);
    int[] homes = buffers.homes(tree);
    long[] traffic = traffic(buffers);
    ImmutableList.Builder<Layout.Part> parts = ImmutableList.builder();
    for (String place : usedPlaces) {
      PlanningProblem.Builder builder = PlanningProblem.builder(options.alignment());
      int[] members = new int[buffers.count()];
      int count = 0;
      for (int buffer = 0; buffer < members.length; buffer++) {
        if (buffers.place(buffer).equals(place)) {
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
          place.equals(webs.mainPlace()) && !options.pools().isEmpty()
              ? pooled(place, members, homesOfMembers, problem, trafficOfMembers, planner::draft)
              : whole(
                  place, members, homesOfMembers, problem, planner.draft(problem, homesOfMembers)));
    }
    return Layout.of(merged, buffers, parts.build());
  }

  /**
   * Returns the layout, improved with all that the planner may spend. With pools, the planner
   * spends it on the buffers of the last pool.
   */
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
                  planner::place)
              : whole(
                  part.place(),
                  part.buffers(),
                  part.homes(),
                  part.problem(),
                  planner.improve(part.problem(), part.homes(), part.placement())));
    }
    return layout.withParts(parts.build());
  }

  /** Makes a part with one arena. */
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
  private interface LayoutStep {
    Placement place(PlanningProblem problem, int[] homes);
  }

  /** Makes a part with one arena per pool. */
  private Layout.Part pooled(
      String place,
      int[] buffers,
      int[] homes,
      PlanningProblem problem,
      long[] traffic,
      LayoutStep stepForRest) {
    // A buffer in a gap between another block's bytes would not be planned block by block.
    boolean withGaps = !options.hierarchical();
    MemoryTierAssignment assignment =
        MemoryTierAssignment.assign(
            problem,
            traffic,
            options.pools(),
            new MemoryTierAssignment.Filling(
                withGaps,
                some -> placeSome(problem, homes, some, planner::draft),
                some -> placeSome(problem, homes, some, stepForRest)),
            log);
    int[] pools = new int[buffers.length];
    long[] offsets = new long[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      pools[i] = assignment.pool(i);
      offsets[i] = assignment.offset(i);
    }
    long[] sums = MemoryTierAssignment.sumByPool(assignment, traffic);
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

  /** Places some of a problem's buffers as a problem of their own. */
  private Placement placeSome(PlanningProblem problem, int[] homes, int[] some, LayoutStep step) {
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
}
