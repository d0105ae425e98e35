package dev.sublet.loop.unroll;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.loop.EarlierSlot;
import dev.sublet.loop.InitialLocation;
import dev.sublet.loop.RotatingBuffers;
import dev.sublet.loop.RotationPosition;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the allocations of the original program's segments in the plan of an unrolled program.
 */
final class UnrolledSlots {

  private final UnrolledMap map;
  private final ControlFlowGraph graph;

  /**
   * The heads of the operators, by new block and index. The head of an operator without blocks is
   * its node, as is its exit.
   */
  private final int[][] heads;

  private final int[][] exits;

  /** The allocations of each new variable, by its number in the unrolled program. */
  private final Map<Integer, List<Allocation>> allocations = new HashMap<>();

  private final Map<String, List<Integer>> variables = new HashMap<>();

  /** The original of each new variable; -1 for none. */
  private final int[] originals;

  UnrolledSlots(UnrolledMap map, ControlFlowGraph unrolled, MemoryPlan plan) {
    this.map = map;
    this.graph = map.carries().liveness().graph();
    Program program = unrolled.program();
    this.heads = new int[program.blocks().size()][];
    this.exits = new int[program.blocks().size()][];
    for (int block = 0; block < heads.length; block++) {
      heads[block] = new int[program.block(block).operations().size()];
      exits[block] = new int[heads[block].length];
    }
    for (int node = 0; node < unrolled.nodeCount(); node++) {
      Operation operation = unrolled.operation(node);
      exits[operation.block()][operation.index()] = node;
      if (unrolled.regionAtExit(node) < 0) {
        heads[operation.block()][operation.index()] = node;
      }
    }
    this.originals = new int[program.variableCount()];
    for (Variable variable : program.variables()) {
      originals[variable.index()] = map.original(variable.id());
      variables.computeIfAbsent(variable.name(), key -> new ArrayList<>()).add(variable.index());
    }
    for (Allocation allocation : plan.allocations()) {
      VariableId id = allocation.variable();
      allocations
          .computeIfAbsent(program.declared(id.block(), id.name()), key -> new ArrayList<>())
          .add(allocation);
    }
  }

  /** The original of a new variable. */
  int original(VariableId id) {
    int original = map.original(id);
    if (original < 0) {
      throw new IllegalStateException(id + " stands for nothing");
    }
    return original;
  }

  /**
   * Returns the allocation of a segment in one copy of the loops around it.
   *
   * @param phases the number of the copy, for each of the segment's loops
   * @return null if the segment has no location there, since its size is known only in the original
   *     program
   */
  @Nullable Allocation find(LiveSegment segment, int[] phases) {
    Allocation nearest = null;
    for (Interval interval : segment.intervals()) {
      for (int point : new int[] {interval.begin(), interval.end() - 1}) {
        int there = pointOf(segment, point, phases);
        for (Allocation allocation : allocationsOf(segment, point, phases)) {
          if (contains(allocation, there)) {
            return allocation;
          }
          nearest = allocation;
        }
      }
    }
    // In a copy in which the segment is dead, a value that is written to it is never read.
    return nearest;
  }

  /** Whether a segment still occupies its bytes at a point, in one copy of the loops around it. */
  boolean isHeld(LiveSegment segment, int[] phases, int point) {
    int there = pointOf(segment, point, phases);
    for (Allocation allocation : allocationsOf(segment, point, phases)) {
      if (contains(allocation, there)) {
        return true;
      }
    }
    return false;
  }

  private List<Allocation> allocationsOf(LiveSegment segment, int point, int[] phases) {
    List<Allocation> found = new ArrayList<>();
    String name = name(segment, point, phases, context(point / 2, segment.loops(), phases));
    List<Integer> named = variables.getOrDefault(name, List.of());
    for (int candidate : named) {
      // Nested blocks may declare the same name; the name of a slot is declared only once.
      if (named.size() == 1 || originals[candidate] == segment.variable()) {
        found.addAll(allocations.getOrDefault(candidate, List.of()));
      }
    }
    return found;
  }

  private static boolean contains(Allocation allocation, int point) {
    for (Interval interval : allocation.live()) {
      if (interval.begin() <= point && point < interval.end()) {
        return true;
      }
    }
    return false;
  }

  private CopyContext context(int node, List<Integer> loops, int[] phases) {
    CopyContext context = map.root();
    for (int loop : map.repeatedAround(graph.regionOfNode(node))) {
      context = enter(context, loop, loops, phases);
    }
    return context;
  }

  /** Returns the copy of a loop's body in the variant after copies of earlier loops' bodies. */
  private CopyContext enter(CopyContext outer, int loop, List<Integer> loops, int[] phases) {
    CopyContext variant = outer;
    for (int earlier : map.carries().earlierLoops(loop)) {
      variant = map.variant(variant, earlier, phase(earlier, loops, phases), loop);
    }
    return map.copy(variant, loop, phase(loop, loops, phases));
  }

  /** The phase of a loop; 0 if a segment does not depend on the loop. */
  private static int phase(int loop, List<Integer> loops, int[] phases) {
    int depth = loops.indexOf(loop);
    return depth < 0 ? 0 : phases[depth];
  }

  private String name(LiveSegment segment, int point, int[] phases, CopyContext context) {
    int node = point / 2;
    @Nullable RotationPosition position = map.carries().position(segment.web(), node);
    boolean writes = point % 2 == 1;
    if (position == null) {
      return map.names().name(segment.variable(), segment.web(), node, writes, context);
    }
    int depth = segment.loops().indexOf(position.buffers().region());
    Region loop = graph.region(position.buffers().region());
    int iteration = depth < 0 ? map.carries().firstPhase(loop.index()) : phases[depth];
    boolean isAfterCopy = point > 2L * position.copyNode() && point < 2 * loop.exit();
    InitialLocation first = position.first();
    boolean isBefore = point < 2 * loop.head() || (iteration < 0 && !isAfterCopy);
    if (first != null && isBefore) {
      return map.names().first(first, node, writes, context);
    }
    int slot = position.buffers().slot(iteration, position.shift() + (isAfterCopy ? 1 : 0));
    return nameOfSlot(position.buffers(), slot, segment.loops(), phases, context);
  }

  private String nameOfSlot(
      RotatingBuffers buffers, int slot, List<Integer> loops, int[] phases, CopyContext context) {
    EarlierSlot earlier = map.carries().earlierSlot(buffers, slot);
    if (earlier == null) {
      return map.names().nameOfSlot(buffers, slot, context);
    }
    int there = earlier.slot(phase(earlier.buffers().region(), loops, phases));
    return nameOfSlot(earlier.buffers(), there, loops, phases, context);
  }

  /** The point of the unrolled program that corresponds to a point of the original in one copy. */
  private int pointOf(LiveSegment segment, int point, int[] phases) {
    List<Integer> loops = segment.loops();
    int node = point / 2;
    CopyContext context = context(node, loops, phases);
    int region = graph.regionAtHead(node);
    int depth = region < 0 ? -1 : loops.indexOf(region);
    if (depth >= 0) {
      CopyContext entered = enter(context, region, loops, phases);
      return 2 * heads[entered.entryBlock()][entered.entryIndex()] + point % 2;
    }
    int kept = node;
    int parity = point % 2;
    while (!context.has(kept)) {
      // The missing operator is a removed copy: its value is there before and after it.
      kept--;
      parity = 1;
      if (context.region > 0 && kept == graph.region(context.region).head()) {
        return 2 * heads[context.entryBlock()][context.entryIndex()] + parity;
      }
    }
    boolean isExit = graph.regionAtExit(kept) >= 0;
    int[][] nodes = isExit ? exits : heads;
    return 2 * nodes[context.block(kept)][context.index(kept)] + parity;
  }
}
