package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Removes the steps that contribute to no result. O(arguments). */
final class LiveSteps {

  private LiveSteps() {}

  /** Returns the trace of what contributes to some results. */
  static TracedProgram of(
      ImmutableList<TracedValue> inputs,
      List<TracedStep> steps,
      List<TracedProgram.Output> results) {
    Set<String> live = new HashSet<>();
    List<TracedStep> kept = new ArrayList<>();
    boolean[] isKept = new boolean[steps.size()];
    results.forEach(output -> live.add(output.value().name()));
    for (int i = steps.size() - 1; i >= 0; i--) {
      TracedStep step = steps.get(i);
      if (step.outputs().values().stream().anyMatch(output -> live.contains(output.name()))) {
        step.inputs().values().forEach(input -> live.add(input.name()));
        kept.add(step);
        isKept[i] = true;
      }
    }
    Collections.reverse(kept);
    ImmutableList.Builder<TracedProgram.Output> outputs = ImmutableList.builder();
    for (TracedProgram.Output output : results) {
      int before = 0;
      for (int i = 0; i < output.step(); i++) {
        before += isKept[i] ? 1 : 0;
      }
      outputs.add(new TracedProgram.Output(output.name(), output.value(), before));
    }
    return new TracedProgram(
        inputs, ImmutableList.copyOf(kept), outputs.build(), ImmutableSet.copyOf(live));
  }
}
