package dev.sublet.placement.cover;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HeightProfileTest {

  /** Against an array with one element a point. */
  @Test
  void heights_areThoseOfAnArray() {
    Random random = new Random(4);
    for (int round = 0; round < 300; round++) {
      int points = 1 + random.nextInt(20);
      PlanningProblem.Builder builder = PlanningProblem.builder(1);
      for (int i = 0; i <= points; i++) {
        builder.addBuffer(1);
        builder.addInterval(3 * i, 3 * i + 3);
      }
      HeightProfile profile = new HeightProfile(builder.build());
      long[] heights = new long[points];
      for (int step = 0; step < 30; step++) {
        int begin = random.nextInt(points);
        int end = begin + 1 + random.nextInt(points - begin);
        long highest = 0;
        for (int i = begin; i < end; i++) {
          highest = Math.max(highest, heights[i]);
        }
        assertWithMessage("round %s step %s", round, step)
            .that(profile.highest(3 * begin, 3 * end))
            .isEqualTo(highest);
        long height = random.nextInt(100);
        profile.raise(3 * begin, 3 * end, height);
        for (int i = begin; i < end; i++) {
          heights[i] = Math.max(heights[i], height);
        }
      }
    }
  }
}
