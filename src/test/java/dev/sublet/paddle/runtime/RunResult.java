package dev.sublet.paddle.runtime;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a run of a model gave.
 *
 * @param outputs the fetched tensors, by name, in the order of the program's fetches; empty if the
 *     run was traced
 * @param residentPeak how far resident memory rose above its level before the run, in kB; 0 unless
 *     it was measured
 * @param trace the lines of the runtime's log about operators' runs if the run was traced; the
 *     clusters of Paddle's memory pass if that was on; else empty
 */
public record RunResult(
    ImmutableMap<String, TensorData> outputs, long residentPeak, ImmutableList<String> trace) {

  public RunResult {
    requireNonNull(outputs, "outputs");
    requireNonNull(trace, "trace");
  }

  /** How this result's outputs differ from others, bit for bit; empty if they are equal. */
  public List<String> differencesFrom(RunResult expected) {
    List<String> differences = new ArrayList<>();
    if (!outputs.keySet().equals(expected.outputs.keySet())) {
      differences.add(outputs.keySet() + " instead of " + expected.outputs.keySet());
    }
    expected.outputs.forEach(
        (name, value) -> {
          TensorData actual = outputs.get(name);
          if (!Objects.equals(actual, value)) {
            differences.add(name + ": " + actual + " differs from " + value);
          }
        });
    return differences;
  }
}
