package dev.sublet.placement.local;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How far rectangles fall. */
final class SettlingTest {

  @Test
  void rectangles_fallOnThoseBelowThem() {
    // The first two are live together, the third one follows the first.
    Rectangles rectangles = Rectangles.of(new int[] {0, 0, 1}, new int[] {1, 2, 2}, longs(4, 4, 2));
    assertThat(Settling.settle(rectangles, longs(3, 9, 1)))
        .asList()
        .containsExactly(0L, 4L, 0L)
        .inOrder();
  }

  @Test
  void anyPlacement_staysValid_andNothingRises() {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      PlanningProblem problem =
          RandomProblems.generate(random, 1 + i % 40, 30, 40, RandomProblems.Kind.PLAIN);
      int[] order = Rectangles.order(problem);
      Rectangles rectangles = Rectangles.of(problem, order);
      long[] offsets = floating(rectangles, random);
      long[] settled = Settling.settle(rectangles, offsets);
      long[] bytes = new long[order.length];
      for (int r = 0; r < order.length; r++) {
        assertThat(settled[r]).isAtMost(offsets[r]);
        bytes[order[r]] = settled[r] * problem.alignment();
      }
      PlacementCheck.assertValid(problem, bytes);
      assertThat(Settling.settle(rectangles, settled)).isEqualTo(settled);
    }
  }

  /** One above the other, with random gaps. */
  private static long[] floating(Rectangles rectangles, Random random) {
    long[] offsets = new long[rectangles.count];
    long top = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = top + random.nextInt(5);
      top = offsets[i] + rectangles.heights[i];
    }
    return offsets;
  }

  private static long[] longs(long... values) {
    return values;
  }
}
