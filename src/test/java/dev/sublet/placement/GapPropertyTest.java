package dev.sublet.placement;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.RandomProblems;
import dev.sublet.testing.LongForm;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * That a search with a gap ends within the gap or where it would end without one, and that its
 * bound and its proofs stay true.
 */
final class GapPropertyTest {

  private static final List<String> GAPS = List.of("0.5", "3", "10", "40");

  private static Placement place(String planner, PlanningProblem problem, Gap gap) {
    PlannerOptions options =
        new PlannerOptions(/* nodes= */ 3000, /* timeoutMillis= */ 0, gap, BufferOrder.SIZE);
    return Planners.of(planner).place(problem, options, new DiagnosticLog());
  }

  private static void check(String planner, PlanningProblem problem, String text) {
    Placement exact = place(planner, problem, Gap.NONE);
    long smaller = exact.arenaBytes();
    for (String percent : GAPS) {
      Gap gap = new Gap(new BigDecimal(percent));
      Placement close = place(planner, problem, gap);
      String message = text + ", " + planner + ", " + percent + "%";
      PlacementCheck.assertValid(problem, close);
      assertWithMessage(message).that(close.arenaBytes()).isAtLeast(smaller);
      assertWithMessage(message).that(close.lowerBound()).isAtMost(exact.arenaBytes());
      if (!gap.accepts(close)) {
        assertWithMessage(message).that(close).isEqualTo(exact);
      }
      if (close.isProvedOptimal()) {
        assertWithMessage(message).that(close.arenaBytes()).isEqualTo(exact.arenaBytes());
      }
      smaller = close.arenaBytes();
    }
  }

  @Test
  void everyPlanner_randomProblems() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 5 + seed, 20, 60, RandomProblems.Kind.FULL);
      for (String planner : Planners.names()) {
        check(planner, problem, "seed " + seed);
      }
    }
  }

  @Test
  void bestAndSearch_denseProblems() {
    int close = 0;
    int problems = LongForm.tries(/* usual= */ 20, /* all= */ 40);
    for (int seed = 0; seed < problems; seed++) {
      PlanningProblem problem =
          RandomProblems.generate(
              new Random(seed), 60 + 10 * (seed % 20), 40, 5000, RandomProblems.Kind.PLAIN);
      for (String planner : List.of(Planners.BEST, "search")) {
        check(planner, problem, "seed " + seed);
        Placement wide = place(planner, problem, new Gap(BigDecimal.TEN));
        close += wide.isProvedOptimal() ? 0 : 1;
      }
    }
    // The gap ends some of these searches.
    assertThat(close).isGreaterThan(problems / 8);
  }
}
