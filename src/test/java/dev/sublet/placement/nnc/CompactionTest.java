package dev.sublet.placement.nnc;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Dropping every buffer as far as it goes. */
final class CompactionTest {

  @Test
  void compact_fillsAHoleAndPullsDownWhatIsAbove() {
    PlanningProblem problem = ProblemText.problem(1, "10 0-4", "5 0-4", "5 2-6", "20 0-6");
    long[] offsets = {20, 5, 30, 35};
    assertThat(Compaction.compact(problem, offsets, Long.MAX_VALUE)).isTrue();
    assertThat(offsets).isEqualTo(new long[] {5, 0, 15, 20});
  }

  @Test
  void compact_pinStays() {
    PlanningProblem problem = ProblemText.problem(1, "10 pin=20 0-4", "15 0-4", "10 0-4");
    long[] offsets = {20, 40, 60};
    assertThat(Compaction.compact(problem, offsets, Long.MAX_VALUE)).isTrue();
    assertThat(offsets).isEqualTo(new long[] {20, 0, 30});
  }

  @Test
  void compact_tooMuchWork_saysSoAndStaysValid() {
    PlanningProblem problem =
        RandomProblems.generate(new Random(3), 40, 30, 50, RandomProblems.Kind.FULL);
    long[] offsets = stacked(problem);
    assertThat(Compaction.compact(problem, offsets, 100)).isFalse();
    PlacementCheck.assertValid(problem, offsets);
  }

  @Test
  void compact_random_nothingCanDropAnyFurther() {
    int tried = 0;
    for (int seed = 0; seed < 400; seed++) {
      RandomProblems.Kind kind =
          seed % 2 == 0
              ? RandomProblems.Kind.FULL
              : new RandomProblems.Kind(true, false, true, true);
      PlanningProblem problem = RandomProblems.generate(new Random(seed), 20, 15, 30, kind);
      long[] offsets = stacked(problem);
      long before = PlacementCheck.arena(problem, offsets);
      if (before == LowerBound.of(problem)) {
        continue;
      }
      tried++;
      assertThat(Compaction.compact(problem, offsets, Long.MAX_VALUE)).isTrue();
      PlacementCheck.assertValid(problem, offsets);
      assertThat(PlacementCheck.arena(problem, offsets)).isAtMost(before);
      LowestFit fit = new LowestFit(problem);
      for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
        long lowest = problem.isPinned(buffer) ? problem.pin(buffer) : fit.drop(buffer, offsets);
        assertWithMessage("%s in\n%s", buffer, ProblemText.print(problem))
            .that(offsets[buffer])
            .isEqualTo(lowest);
      }
    }
    assertThat(tried).isAtLeast(200);
  }

  /** Each buffer above everything else that was placed; pins below. */
  private static long[] stacked(PlanningProblem problem) {
    long[] offsets = new long[problem.bufferCount()];
    long top = 0;
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      if (problem.isPinned(buffer)) {
        offsets[buffer] = problem.pin(buffer);
        top = Math.max(top, offsets[buffer] + problem.size(buffer));
      }
    }
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      if (!problem.isPinned(buffer)) {
        offsets[buffer] = problem.align(buffer, top);
        top = offsets[buffer] + problem.size(buffer);
      }
    }
    return offsets;
  }
}
