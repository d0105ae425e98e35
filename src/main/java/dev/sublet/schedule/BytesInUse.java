package dev.sublet.schedule;

import com.google.common.primitives.ImmutableIntArray;
import java.util.List;

/**
 * The live bytes before, while and after an operator runs, for any set of operators that have run.
 *
 * <p>While an operator runs, its inputs and outputs are live, except that an output may take the
 * bytes of inputs that are not needed any more. An operator may need more bytes while it runs.
 */
final class BytesInUse {

  private final OperatorGraph graph;

  BytesInUse(OperatorGraph graph) {
    this.graph = graph;
  }

  /** Returns the bytes that an operator adds while it runs. O(arguments + readers). */
  long addedWhileRunning(int operator, OperatorSet run) {
    long added = graph.extra(operator);
    ImmutableIntArray outputs = graph.outputs(operator);
    for (int i = 0; i < outputs.length(); i++) {
      int output = outputs.get(i);
      added += graph.bytes(output) - reused(operator, output, run);
    }
    return added;
  }

  private long reused(int operator, int output, OperatorSet run) {
    long whole = 0;
    long parts = 0;
    List<OperatorGraph.Reuse> reuses = graph.reuses(operator);
    for (int i = 0; i < reuses.size(); i++) {
      OperatorGraph.Reuse reuse = reuses.get(i);
      if (reuse.output() == output && diesAt(operator, reuse.input(), run)) {
        long bytes = Math.min(graph.bytes(reuse.input()), graph.bytes(output));
        whole = Math.max(whole, bytes);
        parts += reuse.isPart() ? bytes : 0;
      }
    }
    return Math.max(whole, Math.min(parts, graph.bytes(output)));
  }

  /** Returns the bytes by which the sum of live bytes differs after an operator has run. */
  long change(int operator, OperatorSet run) {
    long change = 0;
    ImmutableIntArray outputs = graph.outputs(operator);
    for (int i = 0; i < outputs.length(); i++) {
      int output = outputs.get(i);
      boolean isDead = !graph.isKept(output) && graph.readers(output).isEmpty();
      change += isDead ? 0 : graph.bytes(output);
    }
    ImmutableIntArray inputs = graph.inputs(operator);
    for (int i = 0; i < inputs.length(); i++) {
      change -= diesAt(operator, inputs.get(i), run) ? graph.bytes(inputs.get(i)) : 0;
    }
    return change;
  }

  /** Whether an operator is the last reader of a tensor that is not kept. */
  private boolean diesAt(int operator, int tensor, OperatorSet run) {
    if (graph.isKept(tensor)) {
      return false;
    }
    ImmutableIntArray readers = graph.readers(tensor);
    for (int i = 0; i < readers.length(); i++) {
      if (readers.get(i) != operator && !run.contains(readers.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns a lower bound of the live bytes while an operator of a segment runs, in any order. It
   * counts inputs and outputs, except inputs that are live before and after the whole segment.
   */
  long least(int operator, int begin, int end) {
    long sum = 0;
    ImmutableIntArray inputs = graph.inputs(operator);
    for (int i = 0; i < inputs.length(); i++) {
      int input = inputs.get(i);
      boolean isAlwaysLive = graph.writer(input) < begin && isLiveAfter(input, end);
      sum += isAlwaysLive ? 0 : graph.bytes(input);
    }
    // If all other operators have run, as much is reused as is possible at all.
    return sum + addedWhileRunning(operator, other -> true);
  }

  /** Returns the bytes that are live before a segment and not after it. */
  long dyingIn(int begin, int end) {
    long sum = 0;
    for (int i = begin; i < end; i++) {
      ImmutableIntArray inputs = graph.inputs(i);
      for (int j = 0; j < inputs.length(); j++) {
        int input = inputs.get(j);
        ImmutableIntArray readers = graph.readers(input);
        boolean isLast = readers.get(readers.length() - 1) == i;
        sum +=
            isLast && graph.writer(input) < begin && !graph.isKept(input) ? graph.bytes(input) : 0;
      }
    }
    return sum;
  }

  private boolean isLiveAfter(int tensor, int end) {
    ImmutableIntArray readers = graph.readers(tensor);
    return graph.isKept(tensor) || readers.get(readers.length() - 1) >= end;
  }

  /** A set of operators. */
  @FunctionalInterface
  interface OperatorSet {
    boolean contains(int operator);
  }
}
