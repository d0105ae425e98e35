package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Interval;
import java.util.List;

/** A mapping of the nodes and points of a program to the steps and points of a time axis. */
final class StepMap {

  private final int[] stepOfNode;

  /**
   * Creates a mapping.
   *
   * @param stepOfNode the step of each node; ascending
   */
  StepMap(int[] stepOfNode) {
    this.stepOfNode = stepOfNode;
  }

  /** Returns the mapping in which node k is step k. */
  static StepMap identity(int count) {
    int[] steps = new int[count];
    for (int i = 0; i < count; i++) {
      steps[i] = i;
    }
    return new StepMap(steps);
  }

  /**
   * Maps intervals of the program to intervals of the axis. An interval includes steps within it
   * that the program does not have.
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
