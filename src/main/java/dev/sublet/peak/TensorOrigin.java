package dev.sublet.peak;

import com.google.common.collect.ImmutableMap;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
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

  /** Returns the origins of all variables that are ever live. O(accesses + live ranges). */
  public static ImmutableMap<VariableId, TensorOrigin> all(Liveness liveness, MemoryPlan plan) {
    Set<VariableId> moved = new HashSet<>();
    for (Allocation allocation : plan.allocations()) {
      if (allocation.views().isPresent()) {
        moved.add(allocation.variable());
      }
    }
    LiveRanges ranges = liveness.ranges();
    ImmutableMap.Builder<VariableId, TensorOrigin> origins = ImmutableMap.builder();
    for (Variable variable : liveness.graph().program().variables()) {
      int index = variable.index();
      if (ranges.hasRange(index)) {
        List<Interval> live = new ArrayList<>();
        for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
          live.addAll(ranges.intervals(web));
        }
        PeakTensor.Kind kind = kind(liveness, index, live, moved.contains(variable.id()));
        origins.put(variable.id(), new TensorOrigin(kind, source(liveness, index)));
      }
    }
    return origins.buildOrThrow();
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

  /**
   * The kind of a variable.
   *
   * @param live when it is live
   * @param moves whether loops move it in the plan
   */
  static PeakTensor.Kind kind(Liveness liveness, int variable, List<Interval> live, boolean moves) {
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
    if (moves || isCarried(liveness.graph(), variable, live)) {
      return PeakTensor.Kind.CARRIED;
    }
    AccessTable accesses = liveness.graph().accesses();
    boolean isRead = false;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      isRead |= accesses.reads(access);
    }
    return isRead ? PeakTensor.Kind.ACTIVATION : PeakTensor.Kind.UNREAD;
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
