package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Interval;
import java.util.List;

/** Which step of a time axis each node of a program is, and so which point is which. */
final class StepMap {

  private final int[] stepOfNode;

  /**
   * A mapping.
   *
   * @param stepOfNode ascending
   */
  StepMap(int[] stepOfNode) {
    this.stepOfNode = stepOfNode;
  }

  /** Every node is the step of its number. */
  static StepMap identity(int count) {
    int[] steps = new int[count];
    for (int i = 0; i < count; i++) {
      steps[i] = i;
    }
    return new StepMap(steps);
  }

  /**
   * Intervals of the program as intervals of the axis. They go on through steps that the program
   * does not have.
   */
  ImmutableList<Interval> map(List<Interval> intervals) {
    ImmutableList.Builder<Interval> mapped = ImmutableList.builder();
    for (Interval interval : intervals) {
      mapped.add(new Interval(map(interval.begin()), map(interval.end() - 1) + 1));
    }
    return mapped.build();
  }

  private int map(int point) {
    return 2 * stepOfNode[point / 2] + point % 2;
  }
}
