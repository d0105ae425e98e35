package dev.sublet.offset;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.merge.WebSizes;
import dev.sublet.placement.Planners;
import dev.sublet.placement.cover.CoverPlanners;
import dev.sublet.placement.cover.EdgeCover;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.PathCoverBound;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import java.util.Arrays;
import java.util.Optional;

/**
 * Computes the guarantee of {@link CoverPlanners#PATH_COVER} for a program: at most {@code 2 · W ·
 * largest} bytes per arena, where W is the number of paths of the cover, and the largest tensor is
 * padded to the arena's alignment.
 *
 * <p>The document's conditions: one output per node, one live range per tensor, from its writer to
 * its last reader, and every tensor read. Its graph has one node per operator, and an edge from a
 * tensor's writer to each of its readers. Two kinds of nodes are added: each feed is written by a
 * node of its own at the start; observed variables are read by one node at the end, which stands
 * for the {@code fetch} operators. Tensors outside the arenas (parameters, unknown sizes) are no
 * data flow.
 *
 * <p>The document's proof then holds as it stands. Of the tensors whose writer and last reader are
 * on one path, at most two overlap at a time. So at most 2W tensors are live at a point, and the
 * planner needs as many groups. Buffers are merged (in-place pairs, views) only if that makes the
 * sum of the arenas smaller.
 */
public final class PathCoverGuarantee {

  private final ControlFlowGraph graph;
  private final Program program;
  private final Liveness liveness;
  private final LiveRanges ranges;
  private final long[] bytesOfWeb;

  /**
   * The node of each feed's writer; -1 for other variables. Nodes are numbered: feeds first, in the
   * order in which they are found, then operators, then the end.
   */
  private final int[] feedOfVariable;

  private int feeds;
  private final ImmutableIntArray.Builder from = ImmutableIntArray.builder();
  private final ImmutableIntArray.Builder to = ImmutableIntArray.builder();
  private int edges;

  /** The number of tensors that each operator writes. */
  private final int[] outputs;

  private PathCoverGuarantee(Liveness liveness, Sizes sizes, long alignment) {
    this.liveness = liveness;
    this.graph = liveness.graph();
    this.program = graph.program();
    this.ranges = liveness.ranges();
    this.bytesOfWeb = WebSizes.find(liveness, sizes, alignment);
    this.feedOfVariable = new int[program.variableCount()];
    this.outputs = new int[graph.nodeCount()];
    Arrays.fill(feedOfVariable, -1);
  }

  /**
   * Returns the guarantee for a plan, or the reason why there is none; empty if another planner
   * made the plan. O(accesses × log) and the cost of {@link EdgeCover}.
   *
   * @throws IllegalStateException if the plan is larger than the guarantee: a bug of Sublet
   */
  public static Optional<PathCoverBound> of(
      ProgramFacts facts, MemoryPlan plan, OffsetOptions options) {
    if (!plan.planner().equals(Planners.PATH_COVER)) {
      return Optional.empty();
    }
    if (options.hierarchical()) {
      return Optional.of(PathCoverBound.none("each block is planned by itself"));
    }
    if (!options.pools().isEmpty()) {
      return Optional.of(PathCoverBound.none("the program's memory is in pools"));
    }
    if (!facts.liveness().observation().aliases().isEmpty()) {
      return Optional.of(PathCoverBound.none("results take the memory of feeds (--alias)"));
    }
    PathCoverBound bound =
        new PathCoverGuarantee(facts.forBytes().liveness(), facts.sizes(), options.alignment())
            .find(plan);
    if (bound.applies() && plan.arenaBytes() > bound.bytes()) {
      throw new IllegalStateException(
          plan.arenaBytes() + " bytes, but path-cover guarantees " + bound);
    }
    return Optional.of(bound);
  }

  private PathCoverBound find(MemoryPlan plan) {
    if (plan.order() == ExecutionOrder.PARALLEL) {
      return PathCoverBound.none("the plan is for the parallel order");
    }
    if (graph.regions().size() > 1) {
      return PathCoverBound.none("the program has branches or loops");
    }
    boolean[] isPlanned = new boolean[program.variableCount()];
    for (Allocation allocation : plan.allocations()) {
      int variable = program.declared(allocation.variable().block(), allocation.variable().name());
      isPlanned[variable] = true;
      if (liveness.observation().isFeed(variable) && feedOfVariable[variable] < 0) {
        feedOfVariable[variable] = feeds++;
      }
    }
    for (Variable variable : program.variables()) {
      int v = variable.index();
      for (int web = ranges.firstWeb(v); isPlanned[v] && web < ranges.endWeb(v); web++) {
        String objection = bytesOfWeb[web] > 0 ? addTensor(v, web) : "";
        if (!objection.isEmpty()) {
          return PathCoverBound.none("'" + Names.display(variable.name()) + "' " + objection);
        }
      }
    }
    int nodes = feeds + graph.nodeCount() + 1;
    int paths = EdgeCover.countPaths(nodes, from.build().toArray(), to.build().toArray());
    long bytes = bytes(plan, paths);
    return bytes == Long.MAX_VALUE
        ? PathCoverBound.none("the guaranteed size does not fit 64 bits")
        : new PathCoverBound(paths, bytes, "");
  }

  /**
   * Adds a tensor's edges. Returns the condition that the tensor does not meet; empty if it meets
   * all.
   */
  private String addTensor(int variable, int web) {
    AccessTable accesses = graph.accesses();
    boolean isFed = feedOfVariable[variable] >= 0 && ranges.contains(web, 0);
    int writer = isFed ? feedOfVariable[variable] : -1;
    int firstEdge = edges;
    int end = 0;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      String type = graph.operation(node).type();
      boolean writes = accesses.writes(access) && ranges.contains(web, 2 * node + 1);
      boolean reads = accesses.reads(access) && ranges.contains(web, 2 * node);
      if (isFed && type.equals("feed")) {
        continue; // it copies the value that the variable has already
      }
      if (writes && (reads || writer >= 0)) {
        return "is written more than once";
      }
      if (writes) {
        writer = feeds + node;
        if (++outputs[node] > 1) {
          return "is one of several outputs of an operator '" + type + "'";
        }
      }
      if (reads && writer < 0) {
        return "is read before it is written";
      }
      if (reads && !isFetch(graph.operation(node))) {
        addEdge(writer, feeds + node);
        end = 2 * node + 2;
      }
    }
    if (writer >= 0
        && liveness.observation().isObserved(variable)
        && ranges.lastPoint(web) == ranges.endPoint()) {
      addEdge(writer, feeds + graph.nodeCount());
      end = ranges.endPoint();
    }
    return objection(web, writer, edges == firstEdge, end);
  }

  private String objection(int web, int writer, boolean isUnread, int end) {
    if (writer < 0 || isUnread) {
      return "is never written, or never read";
    }
    int begin = writer < feeds ? 0 : 2 * (writer - feeds) + 1;
    boolean isOneInterval =
        ranges.endInterval(web) - ranges.firstInterval(web) == 1
            && ranges.firstPoint(web) == begin
            && ranges.lastPoint(web) == end;
    return isOneInterval ? "" : "is not live exactly from its writer to its last reader";
  }

  private static boolean isFetch(Operation operation) {
    return operation.type().equals("fetch") || operation.type().equals("fetch_v2");
  }

  private void addEdge(int writer, int reader) {
    from.add(writer);
    to.add(reader);
    edges++;
  }

  /** The guaranteed size; {@link Long#MAX_VALUE} if it does not fit 64 bits. */
  private static long bytes(MemoryPlan plan, int paths) {
    long[] largest = new long[plan.arenas().size()];
    for (Allocation allocation : plan.allocations()) {
      long alignment = plan.arenas().get(allocation.arena()).alignment();
      long padding = Math.floorMod(-allocation.bytes(), alignment);
      largest[allocation.arena()] =
          Math.max(largest[allocation.arena()], Math.addExact(allocation.bytes(), padding));
    }
    long sum = 0;
    for (long most : largest) {
      sum = LongMath.saturatedAdd(sum, LongMath.saturatedMultiply(2L * paths, most));
    }
    return sum;
  }
}
