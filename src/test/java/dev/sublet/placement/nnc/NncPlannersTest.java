package dev.sublet.placement.nnc;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Small graphs that were given to NNC's compiler, whose arenas are known: what can be reached, not
 * a limit. Operators are points; what one writes is live from there to its last reader; sizes are
 * bytes, and offsets multiples of 64.
 */
final class NncPlannersTest {

  @Test
  void chain_largeEnds_320() {
    assertArena(320, 320, "256 0-1", "64 0-2", "128 1-3", "64 2-4", "256 3-4");
  }

  @Test
  void chain_alternating_192() {
    assertArena(192, 192, "64 0-1", "128 0-2", "64 1-3", "128 2-3");
  }

  @Test
  void diamond_192() {
    assertArena(192, 192, "64 0-2", "64 0-3", "64 1-3", "64 2-3");
  }

  @Test
  void residual_192() {
    assertArena(192, 192, "64 0-4", "64 0-2", "64 1-3", "64 2-4", "64 3-4");
  }

  @Test
  void fanOfThree_256() {
    assertArena(256, 256, "64 0-3", "64 0-4", "64 1-4", "64 2-4", "64 3-4");
  }

  @Test
  void partialReuse_severalTensorsInOneRegion_384() {
    String[] buffers = {"256 0-2", "64 0-3", "64 1-3", "64 2-4", "128 3-4"};
    assertArena(384, 384, buffers);
    // NNC's own answer: the last two side by side in the region of the first, which is dead.
    PlacementCheck.assertValid(ProblemText.problem(64, buffers), new long[] {0, 256, 320, 128, 0});
  }

  @Test
  void partialReuse_nncPutsBothIntoTheDeadRegion() {
    PlanningProblem problem =
        ProblemText.problem(64, "256 0-2", "64 0-3", "64 1-3", "64 2-4", "128 3-4");
    Placement placement = place(new NncPlanner(), problem);
    for (int later = 3; later <= 4; later++) {
      assertWithMessage("%s", placement)
          .that(placement.offsets().get(later) + problem.size(later))
          .isAtMost(256);
    }
  }

  @Test
  void twoReadersOfTheLargest_1024() {
    assertArena(1024, 1024, "64 0-1", "512 0-3", "256 1-4", "256 2-4", "64 3-4");
  }

  @Test
  void partialReuse_twoInputsInsideALaterTensor_576() {
    String[] buffers = {"256 0-1", "256 0-1", "64 0-2", "512 1-3", "64 2-3"};
    assertArena(576, 576, buffers);
    PlanningProblem problem = ProblemText.problem(64, buffers);
    for (Planner planner : NncPlanners.ALL) {
      long[] offsets = place(planner, problem).offsets().toArray();
      long within = offsets[3];
      assertThat(Math.min(offsets[0], offsets[1])).isEqualTo(within);
      assertThat(Math.max(offsets[0], offsets[1])).isEqualTo(within + 256);
    }
  }

  @Test
  void sizesBetweenMultiplesOfTheAlignment_192() {
    assertArena(192, LowerBound.of(unaligned()), "100 0-1", "4 0-2", "68 1-2");
  }

  private static PlanningProblem unaligned() {
    return ProblemText.problem(64, "100 0-1", "4 0-2", "68 1-2");
  }

  /** NNC's code needs a third buffer from some 20 operators on. */
  @Test
  void chainOfEquals_twoBuffers() {
    for (int operators : new int[] {3, 4, 5, 6, 7, 8, 10, 20, 21, 50, 100, 300, 1000, 2000}) {
      PlanningProblem.Builder builder = PlanningProblem.builder(64);
      for (int tensor = 0; tensor <= operators; tensor++) {
        builder.addBuffer(64);
        builder.addInterval(Math.max(0, tensor - 1), Math.min(operators, tensor + 1));
      }
      PlanningProblem problem = builder.build();
      for (Planner planner : NncPlanners.ALL) {
        Placement placement = place(planner, problem);
        PlacementCheck.assertValid(problem, placement.offsets().toArray());
        assertWithMessage("%s operators", operators).that(placement.arenaBytes()).isEqualTo(128);
      }
    }
  }

  /** The document opens a new region for the last one; two that lie side by side hold it. */
  @Test
  void adjacentRegions_areUsedTogether() {
    assertArena(100, 100, /* alignment= */ 1, "60 0-2", "40 0-2", "60 4-6", "40 4-6", "100 2-4");
  }

  @Test
  void top_growsByWhatIsMissing() {
    assertArena(130, 130, /* alignment= */ 1, "50 0-4", "60 0-2", "80 2-4");
  }

  @Test
  void hole_isLent() {
    assertArena(64, 64, "64 0-2 6-8", "64 2-4", "64 4-6");
  }

  @Test
  void pin_staysAndOthersGoAround() {
    assertArena(192, 192, "64 pin=64 0-4", "64 0-2", "64 1-4");
  }

  @Test
  void window_freesTheRest() {
    assertArena(192, 192, "128 0-2@0:64 2-4", "128 0-2", "64 2-4");
  }

  @Test
  void place_noBuffers_emptyArena() {
    for (Planner planner : NncPlanners.ALL) {
      assertThat(place(planner, PlanningProblem.builder(64).build()).arenaBytes()).isEqualTo(0);
    }
  }

  @Test
  void place_tooMuchWork_leavesItToGreedyAndSaysSo() {
    PlanningProblem problem =
        RandomProblems.generate(new Random(1), 60, 30, 50, RandomProblems.Kind.FULL);
    DiagnosticLog log = new DiagnosticLog();
    Placement placement =
        AllocationBuilder.place(
            NncPlanner.NAME,
            NncPlanner::insertAll,
            /* maxWork= */ 50,
            problem,
            PlannerOptions.defaults(),
            log);
    PlacementCheck.assertValid(problem, placement);
    assertThat(placement.planner()).isEqualTo("nnc");
    assertThat(log.diagnostics()).hasSize(1);
    Diagnostic warning = log.diagnostics().get(0);
    assertThat(warning.kind()).isEqualTo(Diagnostic.Kind.WARNING);
    assertThat(warning.message()).contains("60 buffers are too much work for planner 'nnc'");
  }

  private static void assertArena(long nncBytes, long lowerBound, String... buffers) {
    assertArena(nncBytes, lowerBound, /* alignment= */ 64, buffers);
  }

  /** Both planners are valid, and need no more than NNC; no less is possible where the bound is. */
  private static void assertArena(
      long nncBytes, long lowerBound, int alignment, String... buffers) {
    PlanningProblem problem = ProblemText.problem(alignment, buffers);
    for (Planner planner : NncPlanners.ALL) {
      Placement placement = place(planner, problem);
      PlacementCheck.assertValid(problem, placement);
      assertThat(placement.lowerBound()).isEqualTo(lowerBound);
      assertWithMessage("%s: %s", planner.name(), placement)
          .that(placement.arenaBytes())
          .isAtMost(nncBytes);
    }
  }

  private static Placement place(Planner planner, PlanningProblem problem) {
    DiagnosticLog log = new DiagnosticLog();
    Placement placement = planner.place(problem, PlannerOptions.defaults(), log);
    assertThat(log.diagnostics()).isEmpty();
    return placement;
  }
}
