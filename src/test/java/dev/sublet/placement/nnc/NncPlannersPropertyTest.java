package dev.sublet.placement.nnc;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Random problems of every kind, by both of NNC's planners. */
final class NncPlannersPropertyTest {

  @Property
  void place_plain_isValid(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int buffers) {
    assertBothPlace(seed, buffers, RandomProblems.Kind.PLAIN);
  }

  @Property
  void place_full_isValid(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int buffers) {
    assertBothPlace(seed, buffers, RandomProblems.Kind.FULL);
  }

  @Property
  void place_gapsOnly_isValid(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int buffers) {
    assertBothPlace(seed, buffers, new RandomProblems.Kind(true, false, true, true));
  }

  @Test
  void place_manySmallSizes_isValid() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 60, 12, 4, RandomProblems.Kind.FULL);
      assertBothPlace(problem);
    }
  }

  private static void assertBothPlace(long seed, int buffers, RandomProblems.Kind kind) {
    assertBothPlace(RandomProblems.generate(new Random(seed), buffers, 30, 50, kind));
  }

  /** Validly, without a warning, and a second time the same. */
  private static void assertBothPlace(PlanningProblem problem) {
    for (Planner planner : NncPlanners.ALL) {
      DiagnosticLog log = new DiagnosticLog();
      Placement placement = planner.place(problem, PlannerOptions.defaults(), log);
      PlacementCheck.assertValid(problem, placement);
      assertThat(placement.planner()).isEqualTo(planner.name());
      assertThat(log.diagnostics()).isEmpty();
      assertThat(planner.place(problem, PlannerOptions.defaults(), log)).isEqualTo(placement);
    }
  }
}
