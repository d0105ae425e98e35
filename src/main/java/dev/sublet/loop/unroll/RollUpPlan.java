package dev.sublet.loop.unroll;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.RotationPosition;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Rolls up the plan of an unrolled program into a plan of the original: the locations of a web in
 * the copies of the loops around it become a view of the loops' iterations.
 *
 * <pre>{@code
 * unrolled: x in copy 0 at offset 0, x in copy 1 at offset 64
 * rolled up: x at 0 in even iterations, at 64 in odd ones
 * }</pre>
 */
final class RollUpPlan {

  private final UnrolledMap map;
  private final LoopCarriedValues carries;
  private final ControlFlowGraph graph;
  private final Program program;
  private final LiveRanges ranges;
  private final UnrolledSlots slots;

  /** Whether a segment has no location in the unrolled program. */
  private boolean isMissing;

  private RollUpPlan(UnrolledMap map, UnrolledSlots slots) {
    this.map = map;
    this.carries = map.carries();
    this.graph = carries.liveness().graph();
    this.program = graph.program();
    this.ranges = carries.liveness().ranges();
    this.slots = slots;
  }

  /**
   * Returns the plan of the original program. It is empty if a segment has no location in the plan
   * of the unrolled program, or several arenas. O(allocations × copies that they are in × log).
   *
   * @param plain a plan of the original program, for the variables that no loop moves
   */
  static Optional<MemoryPlan> rollUp(
      UnrolledMap map, ControlFlowGraph unrolled, MemoryPlan plan, MemoryPlan plain) {
    RollUpPlan rollUp = new RollUpPlan(map, new UnrolledSlots(map, unrolled, plan));
    ImmutableList<Allocation> allocations = rollUp.allocations(plain);
    if (rollUp.isMissing) {
      return Optional.empty();
    }
    MemoryPlan rolledUp =
        new MemoryPlan(
            plain.programSha256(),
            plan.planner(),
            plan.batch(),
            plain.feeds(),
            plan.order(),
            plan.arenas(),
            allocations,
            plain.unplanned(),
            rollUp.aliases(plan),
            rollUp.copies(plain));
    return Optional.of(rolledUp);
  }

  private ImmutableList<Allocation> allocations(MemoryPlan plain) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    Set<Integer> done = new LinkedHashSet<>();
    for (Allocation allocation : plain.allocations()) {
      int variable = program.declared(allocation.variable().block(), allocation.variable().name());
      int web = webOf(variable, allocation);
      if (allocation.bytes() == 0 || web < 0) {
        allocations.add(allocation);
      } else if (done.add(web)) {
        allocations.addAll(allocationsOf(variable, web, allocation));
      }
    }
    return allocations.build();
  }

  private int webOf(int variable, Allocation allocation) {
    return allocation.live().isEmpty()
        ? -1
        : ranges.webAt(variable, allocation.live().get(0).begin());
  }

  /** Returns a web's intervals, cut where its views change. */
  private List<Allocation> allocationsOf(int variable, int web, Allocation plain) {
    TreeSet<Integer> cuts = new TreeSet<>();
    Set<Integer> loops = loopsThatWrite(variable, web, cuts);
    // A loop that moves a variable has only one copy of its body if the variable has no value
    // before the loop-carried copy.
    for (RotationPosition position : carries.positions(web)) {
      if (position.copyNode() != Integer.MAX_VALUE) {
        if (carries.isRepeated(position.buffers().region())) {
          loops.add(position.buffers().region());
        }
        cuts.add(2 * position.copyNode() + 1);
      }
    }
    for (int loop : loops) {
      cuts.add(2 * graph.region(loop).head());
      cuts.add(2 * graph.region(loop).exit());
    }
    Map<Placed, List<Interval>> byPlace = new LinkedHashMap<>();
    for (List<Interval> intervals : cut(web, cuts)) {
      LiveSegment segment =
          new LiveSegment(
              variable, web, loopsAround(web, loops, intervals.get(0).begin()), intervals);
      byPlace.computeIfAbsent(place(segment), key -> new ArrayList<>()).addAll(handedOver(segment));
    }
    List<Allocation> allocations = new ArrayList<>();
    byPlace.forEach(
        (placed, intervals) ->
            allocations.add(
                new Allocation(
                    plain.variable(),
                    placed.arena(),
                    placed.view().offset(block -> 0),
                    plain.bytes(),
                    Interval.union(intervals),
                    placed.view() instanceof MultiView.FixedView
                        ? Optional.empty()
                        : Optional.of(placed.view()),
                    plain.slots())));
    return allocations;
  }

  /**
   * Cuts a web's intervals into groups, in order. The intervals between the same two cuts form one
   * group: they have one location.
   */
  private Collection<List<Interval>> cut(int web, NavigableSet<Integer> cuts) {
    TreeMap<Integer, List<Interval>> groups = new TreeMap<>();
    for (Interval interval : ranges.intervals(web)) {
      int begin = interval.begin();
      while (begin < interval.end()) {
        Integer cut = cuts.higher(begin);
        int end = cut == null ? interval.end() : Math.min(cut, interval.end());
        Integer since = cuts.floor(begin);
        groups
            .computeIfAbsent(since == null ? -1 : since, key -> new ArrayList<>())
            .add(new Interval(begin, end));
        begin = end;
      }
    }
    return groups.values();
  }

  /**
   * The repeated loops in which a web is written: from the write on, each of their copies may have
   * the web at a location of its own.
   *
   * @param cuts gets the points of these writes
   */
  private Set<Integer> loopsThatWrite(int variable, int web, Set<Integer> cuts) {
    Set<Integer> loops = new TreeSet<>();
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && ranges.contains(web, 2 * node + 1)) {
        ImmutableList<Integer> around = map.repeatedAround(graph.regionOfNode(node));
        if (!around.isEmpty()) {
          loops.addAll(around);
          cuts.add(2 * node + 1);
        }
      }
    }
    return loops;
  }

  /**
   * The repeated loops that the location of a segment depends on, outermost first. These are the
   * loops around the segment in which the web is written; after a loop that moves the variable,
   * that loop; and the earlier loops that decide where one of these starts.
   */
  private List<Integer> loopsAround(int web, Set<Integer> loops, int point) {
    Set<Integer> moving = new TreeSet<>();
    for (RotationPosition position : carries.positions(web)) {
      moving.add(position.buffers().region());
    }
    Set<Integer> around = new TreeSet<>();
    for (int loop : loops) {
      Region region = graph.region(loop);
      boolean isInside = 2 * region.head() <= point && point < 2 * region.exit();
      boolean isAfter = moving.contains(loop) && 2 * region.exit() <= point;
      if (isInside || isAfter) {
        around.add(loop);
        around.addAll(carries.earlierLoops(loop));
      }
    }
    return List.copyOf(around);
  }

  /**
   * The intervals of a segment. An interval ends before its last reader's write if, in some copy,
   * that operator writes its output into the bytes.
   */
  private List<Interval> handedOver(LiveSegment segment) {
    List<Interval> result = new ArrayList<>();
    for (Interval interval : segment.intervals()) {
      int last = interval.end() - 1;
      boolean isHanded =
          last > interval.begin()
              && last % 2 == 1
              && (isTakenByRoot(segment.web(), last)
                  || !isHeld(segment, 0, new int[segment.loops().size()], last));
      result.add(isHanded ? new Interval(interval.begin(), last) : interval);
    }
    return result;
  }

  /**
   * Whether the next value of the rotation is computed at a point, in the slot of the web's value.
   */
  private boolean isTakenByRoot(int web, int point) {
    for (int root : carries.rootsTaking(web)) {
      if (ranges.firstPoint(root) == point) {
        return true;
      }
    }
    return false;
  }

  private boolean isHeld(LiveSegment segment, int depth, int[] phases, int point) {
    if (depth == segment.loops().size()) {
      return slots.isHeld(segment, phases, point);
    }
    int loop = segment.loops().get(depth);
    for (int phase = carries.firstPhase(loop); phase < carries.repeat(loop); phase++) {
      phases[depth] = phase;
      if (!isHeld(segment, depth + 1, phases, point)) {
        return false;
      }
    }
    return true;
  }

  /** The location of a segment. */
  private record Placed(int arena, MultiView view) {}

  private Placed place(LiveSegment segment) {
    int[] phases = new int[segment.loops().size()];
    Allocation first = slots.find(segment, phases);
    int arena = first == null ? 0 : first.arena();
    return new Placed(arena, view(segment, 0, phases, arena));
  }

  /**
   * Returns the view of a segment: its offset for each combination of phases of its loops, from the
   * loop at a nesting depth on.
   */
  private MultiView view(LiveSegment segment, int depth, int[] phases, int arena) {
    if (depth == segment.loops().size()) {
      Allocation found = slots.find(segment, phases);
      if (found == null || found.arena() != arena) {
        isMissing = true;
        return new MultiView.FixedView(0);
      }
      return new MultiView.FixedView(found.offset());
    }
    List<MultiView> views = new ArrayList<>();
    int loop = segment.loops().get(depth);
    for (int phase = carries.firstPhase(loop); phase < carries.repeat(loop); phase++) {
      phases[depth] = phase;
      views.add(view(segment, depth + 1, phases, arena));
    }
    int block = graph.region(loop).block();
    return carries.hasInitialLocation(loop)
        ? MultiView.rotation(block, Optional.of(views.get(0)), views.subList(1, views.size()))
        : MultiView.rotation(block, Optional.empty(), views);
  }

  /**
   * The aliases of the unrolled program, with the variables' original names, and those of the
   * removed copies.
   */
  private ImmutableList<Alias> aliases(MemoryPlan plan) {
    Set<Alias> aliases = new LinkedHashSet<>();
    for (Alias alias : plan.aliases()) {
      VariableId variable = original(alias.variable());
      VariableId of = original(alias.of());
      if (!variable.equals(of)) {
        aliases.add(new Alias(variable, of, alias.kind(), alias.offset()));
      }
    }
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (carries.isRemoved(node)) {
        Operation copy = graph.operation(node);
        aliases.add(
            new Alias(
                program.variable(copy.output(0)).id(),
                program.variable(copy.input(0)).id(),
                Alias.VIEW));
      }
    }
    return ImmutableList.copyOf(aliases);
  }

  private VariableId original(VariableId id) {
    return program.variable(slots.original(id)).id();
  }

  private ImmutableList<UnneededCopy> copies(MemoryPlan plain) {
    Map<VariableId, Long> bytes = new LinkedHashMap<>();
    plain.allocations().forEach(each -> bytes.merge(each.variable(), each.bytes(), Math::max));
    List<UnneededCopy> copies = new ArrayList<>();
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (carries.isRemoved(node)) {
        Operation copy = graph.operation(node);
        VariableId from = program.variable(copy.input(0)).id();
        VariableId to = program.variable(copy.output(0)).id();
        if (bytes.containsKey(from) && bytes.containsKey(to)) {
          copies.add(new UnneededCopy(copy.block(), copy.index(), from, to, bytes.get(from)));
        }
      }
    }
    copies.sort(
        java.util.Comparator.comparingInt(UnneededCopy::block)
            .thenComparingInt(UnneededCopy::operator));
    return ImmutableList.copyOf(copies);
  }
}
