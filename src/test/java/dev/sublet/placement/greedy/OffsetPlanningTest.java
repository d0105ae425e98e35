package dev.sublet.placement.greedy;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.placement.testing.PlacementCheck.arena;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;
import static dev.sublet.placement.testing.ProblemText.problem;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Placements and bounds against brute force. */
final class OffsetPlanningTest {

  private static long[] greedy(PlanningProblem problem) {
    DiagnosticLog log = new DiagnosticLog();
    long[] offsets =
        GreedyPlanners.GREEDY_SIZE
            .place(problem, PlannerOptions.defaults(), log)
            .offsets()
            .toArray();
    assertThat(log.diagnostics()).isEmpty();
    return offsets;
  }

  private static boolean liveTogether(PlanningProblem problem, int a, int b) {
    for (int i = problem.firstInterval(a); i < problem.endInterval(a); i++) {
      for (int j = problem.firstInterval(b); j < problem.endInterval(b); j++) {
        if (problem.begin(i) < problem.end(j) && problem.begin(j) < problem.end(i)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The smallest arena: every order of buffers, each at the lowest offset that is free. */
  private static long optimum(PlanningProblem problem, List<Integer> left, long[] offsets) {
    if (left.isEmpty()) {
      return arena(problem, offsets);
    }
    long best = Long.MAX_VALUE;
    for (int buffer : left) {
      List<Integer> rest = new ArrayList<>(left);
      rest.remove((Integer) buffer);
      long offset = 0;
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int other = 0; other < offsets.length; other++) {
          if (offsets[other] >= 0
              && liveTogether(problem, buffer, other)
              && offset < offsets[other] + problem.size(other)
              && offsets[other] < offset + problem.size(buffer)) {
            offset = problem.align(offsets[other] + problem.size(other));
            moved = true;
          }
        }
      }
      offsets[buffer] = offset;
      best = Math.min(best, optimum(problem, rest, offsets));
      offsets[buffer] = -1;
    }
    return best;
  }

  private static long optimum(PlanningProblem problem) {
    List<Integer> all = new ArrayList<>();
    long[] offsets = new long[problem.bufferCount()];
    Arrays.fill(offsets, -1);
    for (int i = 0; i < problem.bufferCount(); i++) {
      all.add(i);
    }
    return optimum(problem, all, offsets);
  }

  @Test
  void leadingGap_isUsed() {
    // A planner that only looks behind the buffers before it needs 240 here.
    PlanningProblem problem = problem(1, "100 0-2", "80 1-3", "60 2-4");
    assertThat(arena(problem, greedy(problem))).isEqualTo(180);
    assertThat(LowerBound.of(problem)).isEqualTo(180);
  }

  @Test
  void bufferWithAHole_lendsItsBytes() {
    PlanningProblem problem = problem(1, "64 0-2 6-8", "64 3-5");
    assertThat(greedy(problem)).asList().containsExactly(0L, 0L);
  }

  @Test
  void lowerBound_countsThePaddingBetweenBuffers() {
    PlanningProblem problem = problem(64, "4 0-2", "100 0-2");
    assertThat(LowerBound.of(problem)).isEqualTo(132);
    assertThat(arena(problem, greedy(problem))).isEqualTo(132);
  }

  @Provide
  Arbitrary<PlanningProblem> problems() {
    return Arbitraries.longs().map(seed -> random(new Random(seed), 6, 12));
  }

  private static PlanningProblem random(Random random, int maxBuffers, int points) {
    PlanningProblem.Builder builder = PlanningProblem.builder(1 << random.nextInt(3));
    int buffers = 1 + random.nextInt(maxBuffers);
    for (int i = 0; i < buffers; i++) {
      builder.addBuffer(1 + random.nextInt(9));
      int begin = random.nextInt(points);
      int end = begin + 1 + random.nextInt(points);
      builder.addInterval(begin, end);
      if (random.nextInt(3) == 0) {
        builder.addInterval(end + 1, end + 2 + random.nextInt(points));
      }
    }
    return builder.build();
  }

  @Property(tries = 300)
  void greedy_isValid_andBetweenTheOptimumAndTheBound(@ForAll("problems") PlanningProblem problem) {
    long[] offsets = greedy(problem);
    assertValid(problem, offsets);
    long optimum = optimum(problem);
    assertThat(arena(problem, offsets)).isAtLeast(optimum);
    assertThat(LowerBound.of(problem)).isAtMost(optimum);
  }
}
