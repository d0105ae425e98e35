package dev.sublet.compile.trace;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes the steps and regions that contribute to no result.
 *
 * <p>A step is kept if a result, a step that is kept, or the condition of a region around one reads
 * what it writes. O(arguments + steps × depth of regions).
 */
final class LiveSteps {

  private final List<TracedStep> steps;
  private final List<TracedRegion> regions;
  private final ListMultimap<String, Integer> writers = ArrayListMultimap.create();
  private final boolean[] isKept;
  private final Set<String> live = new LinkedHashSet<>();
  private final Deque<String> pending = new ArrayDeque<>();

  private LiveSteps(List<TracedStep> steps, List<TracedRegion> regions) {
    this.steps = steps;
    this.regions = regions;
    this.isKept = new boolean[steps.size()];
    for (int i = 0; i < steps.size(); i++) {
      for (TracedValue value : steps.get(i).outputs().values()) {
        writers.put(value.name(), i);
      }
    }
  }

  /** Returns the trace of what contributes to some results. */
  static TracedProgram of(
      ImmutableList<TracedValue> inputs, TraceState state, List<TracedProgram.Output> results) {
    LiveSteps search = new LiveSteps(state.steps(), state.regions());
    results.forEach(output -> search.need(output.value()));
    search.run();
    return search.program(inputs, results, ImmutableSet.copyOf(state.lasting()));
  }

  private void need(TracedValue value) {
    if (live.add(value.name())) {
      pending.add(value.name());
    }
  }

  private void run() {
    int[][] around = regionsAround();
    while (!pending.isEmpty()) {
      for (int step : writers.get(pending.remove())) {
        if (!isKept[step]) {
          isKept[step] = true;
          steps.get(step).inputs().values().forEach(this::need);
          for (int region : around[step]) {
            need(regions.get(region).condition());
          }
        }
      }
    }
  }

  /** Returns the regions around each step. */
  private int[][] regionsAround() {
    int[][] around = new int[steps.size()][];
    Deque<Integer> open = new ArrayDeque<>();
    int next = 0;
    for (int i = 0; i < around.length; i++) {
      while (!open.isEmpty() && regions.get(open.peekLast()).end() <= i) {
        open.removeLast();
      }
      for (; next < regions.size() && regions.get(next).begin() <= i; next++) {
        if (regions.get(next).end() > i) {
          open.addLast(next);
        }
      }
      around[i] = open.stream().mapToInt(Integer::intValue).toArray();
    }
    return around;
  }

  private TracedProgram program(
      ImmutableList<TracedValue> inputs,
      List<TracedProgram.Output> results,
      ImmutableSet<String> lasting) {
    int[] before = new int[steps.size() + 1];
    List<TracedStep> kept = new ArrayList<>();
    for (int i = 0; i < isKept.length; i++) {
      if (isKept[i]) {
        kept.add(steps.get(i));
      }
      before[i + 1] = kept.size();
    }
    ImmutableList.Builder<TracedRegion> keptRegions = ImmutableList.builder();
    for (TracedRegion region : regions) {
      int begin = before[region.begin()];
      int end = before[region.end()];
      if (begin < end) {
        keptRegions.add(region.withSteps(begin, end));
      }
    }
    ImmutableList.Builder<TracedProgram.Output> outputs = ImmutableList.builder();
    for (TracedProgram.Output output : results) {
      outputs.add(new TracedProgram.Output(output.name(), output.value(), before[output.step()]));
    }
    return new TracedProgram(
        inputs,
        ImmutableList.copyOf(kept),
        keptRegions.build(),
        outputs.build(),
        ImmutableSet.copyOf(live),
        lasting);
  }
}
