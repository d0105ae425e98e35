package dev.sublet.plan;

import static com.google.common.truth.Truth.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class IntervalTest {

  @Test
  void union_joinsWhatOverlapsOrTouches() {
    List<Interval> intervals =
        List.of(
            new Interval(9, 12),
            new Interval(0, 2),
            new Interval(2, 4),
            new Interval(10, 11),
            new Interval(5, 6));
    assertThat(Interval.union(intervals))
        .containsExactly(new Interval(0, 4), new Interval(5, 6), new Interval(9, 12))
        .inOrder();
  }

  @Test
  void union_ofNothing_isNothing() {
    assertThat(Interval.union(List.of())).isEmpty();
  }
}
