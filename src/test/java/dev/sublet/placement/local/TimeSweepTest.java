package dev.sublet.placement.local;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

/** Where sweeps over time place rectangles. */
final class TimeSweepTest {

  private static final long MANY = 1000;

  /** Three activations, which end in reverse order, and three gradients, which end last. */
  private static Rectangles training() {
    return Rectangles.of(
        new int[] {0, 1, 2, 3, 4, 5},
        new int[] {6, 5, 4, 7, 7, 7},
        new long[] {10, 20, 30, 30, 20, 10});
  }

  @Test
  void activationsPileUpFromBelow_gradientsFromAbove() {
    TimeSweep sweep = new TimeSweep(training(), /* isBackwards= */ false);
    assertThat(sweep.run(/* height= */ 100, /* kind= */ 0, MANY)).isTrue();
    assertThat(sweep.offsets()).isEqualTo(new long[] {0, 10, 30, 70, 50, 40});
  }

  @Test
  void backwards_isTheSameInReversedTime() {
    Rectangles training = training();
    for (int kind = 0; kind < TimeSweep.KINDS; kind += 2) {
      TimeSweep forwards = new TimeSweep(training.reversed(), /* isBackwards= */ false);
      TimeSweep backwards = new TimeSweep(training, /* isBackwards= */ true);
      assertThat(backwards.run(100, kind, MANY)).isEqualTo(forwards.run(100, kind, MANY));
      assertThat(backwards.offsets()).isEqualTo(forwards.offsets());
    }
  }

  @Test
  void ceilingBelowTheLoad_fails() {
    TimeSweep sweep = new TimeSweep(training(), /* isBackwards= */ false);
    assertThat(sweep.run(training().load - 1, /* kind= */ 0, MANY)).isFalse();
  }

  @Test
  void stepsAreSpent_fails() {
    int n = 1000;
    int[] begins = new int[n];
    int[] ends = new int[n];
    long[] heights = new long[n];
    for (int i = 0; i < n; i++) {
      begins[i] = i;
      ends[i] = i + 2;
      heights[i] = 1;
    }
    TimeSweep sweep = new TimeSweep(Rectangles.of(begins, ends, heights), false);
    assertThat(sweep.run(/* height= */ 2, /* kind= */ 0, /* maxSteps= */ 1)).isFalse();
    assertThat(sweep.run(/* height= */ 2, /* kind= */ 0, MANY)).isTrue();
  }
}
