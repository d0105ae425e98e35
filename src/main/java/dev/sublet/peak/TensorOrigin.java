package dev.sublet.peak;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.SourceLine;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a tensor is for, and the line of the user's code that made its first writer.
 *
 * <pre>
 *   y = relu(x)      y: activation, lcnet.py:88
 * </pre>
 *
 * @param kind what it is for
 * @param source the line; empty if none was saved
 */
public record TensorOrigin(PeakTensor.Kind kind, Optional<SourceLine> source) {

  private static final String IN_PLACE = "in_place";

  /**
   * What a plan does with a variable.
   *
   * @param moves whether loops move it
   * @param isOverwritten whether another variable overwrites it in place
   */
  private record Place(boolean moves, boolean isOverwritten) {}

  /** Returns the origins of all variables that are ever live. O(accesses + live ranges). */
  public static ImmutableMap<VariableId, TensorOrigin> all(Liveness liveness, MemoryPlan plan) {
    Set<VariableId> moved = new HashSet<>();
    for (Allocation allocation : plan.allocations()) {
      if (allocation.views().isPresent()) {
        moved.add(allocation.variable());
      }
    }
    ImmutableSet<VariableId> overwritten = overwritten(plan);
    LiveRanges ranges = liveness.ranges();
    ImmutableMap.Builder<VariableId, TensorOrigin> origins = ImmutableMap.builder();
    for (Variable variable : liveness.graph().program().variables()) {
      int index = variable.index();
      VariableId id = variable.id();
      if (ranges.hasRange(index)) {
        Place place = new Place(moved.contains(id), overwritten.contains(id));
        origins.put(
            id,
            new TensorOrigin(
                kind(liveness, index, intervals(ranges, index), place), source(liveness, index)));
      }
    }
    return origins.buildOrThrow();
  }

  /**
   * Returns the origin of a variable, without regard to a plan: no variable is overwritten in
   * place. O(accesses + live ranges of the variable).
   */
  public static TensorOrigin of(Liveness liveness, int variable) {
    List<Interval> live = intervals(liveness.ranges(), variable);
    return new TensorOrigin(
        kind(liveness, variable, live, new Place(false, false)), source(liveness, variable));
  }

  /** Returns the kind of the variable of an allocation. O(accesses + live ranges of it). */
  public static PeakTensor.Kind kind(Liveness liveness, MemoryPlan plan, Allocation allocation) {
    VariableId id = allocation.variable();
    int variable = liveness.graph().program().declared(id.block(), id.name());
    return kind(liveness, variable, allocation, overwritten(plan));
  }

  /** The kind of the variable of an allocation; {@code overwritten} as below. */
  static PeakTensor.Kind kind(
      Liveness liveness,
      int variable,
      Allocation allocation,
      ImmutableSet<VariableId> overwritten) {
    boolean moves = allocation.views().isPresent();
    Place place = new Place(moves, overwritten.contains(allocation.variable()));
    return kind(liveness, variable, allocation.live(), place);
  }

  /** The variables of a plan that another one overwrites in place. O(aliases). */
  static ImmutableSet<VariableId> overwritten(MemoryPlan plan) {
    ImmutableSet.Builder<VariableId> overwritten = ImmutableSet.builder();
    for (Alias alias : plan.aliases()) {
      if (alias.kind().equals(IN_PLACE)) {
        overwritten.add(alias.of());
      }
    }
    return overwritten.build();
  }

  private static List<Interval> intervals(LiveRanges ranges, int variable) {
    List<Interval> live = new ArrayList<>();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      live.addAll(ranges.intervals(web));
    }
    return live;
  }

  private static Optional<SourceLine> source(Liveness liveness, int variable) {
    ControlFlowGraph graph = liveness.graph();
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      if (accesses.writes(access)) {
        return SourceLine.of(graph.operation(accesses.node(access)));
      }
    }
    return Optional.empty();
  }

  /** The kind of a variable that is live at some intervals. */
  private static PeakTensor.Kind kind(
      Liveness liveness, int variable, List<Interval> live, Place place) {
    Variable declared = liveness.graph().program().variable(variable);
    if (liveness.observation().isFeed(variable)) {
      return PeakTensor.Kind.FEED;
    }
    if (liveness.observation().isObserved(variable)) {
      return PeakTensor.Kind.RESULT;
    }
    if (declared.name().contains("@GRAD")) {
      return PeakTensor.Kind.GRADIENT;
    }
    if (declared.kind() == Variable.Kind.TENSOR_ARRAY) {
      return PeakTensor.Kind.ARRAY;
    }
    if (place.moves() || isCarried(liveness.graph(), variable, live)) {
      return PeakTensor.Kind.CARRIED;
    }
    if (place.isOverwritten() && isPassedOn(liveness.graph(), variable)) {
      return PeakTensor.Kind.WORKSPACE;
    }
    AccessTable accesses = liveness.graph().accesses();
    boolean isRead = false;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      isRead |= accesses.reads(access);
    }
    return isRead ? PeakTensor.Kind.ACTIVATION : PeakTensor.Kind.UNREAD;
  }

  /** Whether the operator after the only writer of a variable is its only reader. */
  private static boolean isPassedOn(ControlFlowGraph graph, int variable) {
    AccessTable accesses = graph.accesses();
    int first = accesses.begin(variable);
    return accesses.end(variable) - first == 2
        && accesses.writes(first)
        && accesses.reads(first + 1)
        && accesses.node(first + 1) == accesses.node(first) + 1;
  }

  /** Whether a variable is live when an iteration of a loop ends that writes it. */
  private static boolean isCarried(ControlFlowGraph graph, int variable, List<Interval> live) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int index = accesses.writes(access) ? graph.regionOfNode(accesses.node(access)) : 0;
      for (; index > 0; index = graph.region(index).parent()) {
        Region region = graph.region(index);
        if (region.kind().isLoop()
            && isLiveAt(live, 2 * region.exit() - 1)
            && isLiveAt(live, 2 * region.head() + 2)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isLiveAt(List<Interval> live, int point) {
    for (Interval interval : live) {
      if (interval.begin() <= point && point < interval.end()) {
        return true;
      }
    }
    return false;
  }
}
