package dev.sublet.placement.local;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;
import static dev.sublet.placement.testing.ProblemText.problem;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.SyntheticProblems;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Problems whose buffers are boxes of the buffers of others. */
final class BoxedProblemTest {

  private static final long STEPS = 100_000;

  private static Placement firstFit(PlanningProblem problem) {
    return GreedyPlanners.FIRST_FIT.place(problem, PlannerOptions.defaults(), new DiagnosticLog());
  }

  @Test
  void twoBuffersOneAfterTheOther_andOneBeside_areABox() {
    PlanningProblem problem = problem(1, "4 0-1", "4 1-2", "6 0-2", "9 2-3", "9 3-4", "1 2-4");
    PlanningProblem boxes = LargePlanner.box(problem, /* tolerance= */ 0, STEPS).get().problem();
    assertThat(boxes.bufferCount()).isAtMost(2);
    assertThat(boxes.size(0)).isEqualTo(10);
  }

  @Test
  void buffersOfWhichNoTwoFit_areNotBoxed() {
    assertThat(LargePlanner.box(problem(1, "3 0-2", "4 1-3", "5 2-4"), 0, STEPS)).isEmpty();
  }

  @Test
  void pins_areNotBoxed() {
    assertThat(LargePlanner.box(problem(1, "4 pin=4 0-1", "4 1-2"), 0, STEPS)).isEmpty();
  }

  /** The lack of a byte makes holes, which {@code unpack} lets the buffers above fall into. */
  @Test
  void everyPlacementOfTheBoxes_isOneOfTheBuffers_andNoHigher() {
    Random random = new Random(3);
    for (int seed = 1; seed <= 20; seed++) {
      PlanningProblem problem = withNoise(SyntheticProblems.guillotine(seed, 150), random);
      Optional<BoxedProblem> found = LargePlanner.box(problem, /* tolerance= */ 16, STEPS);
      if (found.isEmpty()) {
        continue;
      }
      BoxedProblem boxed = found.get();
      Placement placed = firstFit(boxed.problem());
      Placement unpacked = boxed.unpack(placed, firstFit(problem));
      assertValid(problem, unpacked);
      assertThat(unpacked.arenaBytes()).isAtMost(placed.arenaBytes());
    }
  }

  @Test
  void mostPackings_areBoxed() {
    Random random = new Random(3);
    int boxed = 0;
    for (int seed = 1; seed <= 20; seed++) {
      PlanningProblem problem = withNoise(SyntheticProblems.guillotine(seed, 150), random);
      boxed += LargePlanner.box(problem, /* tolerance= */ 16, STEPS).isPresent() ? 1 : 0;
    }
    assertThat(boxed).isAtLeast(15);
  }

  private static PlanningProblem withNoise(SyntheticProblems.Tiling tiling, Random random) {
    PlanningProblem problem = tiling.problem();
    PlanningProblem.Builder builder = PlanningProblem.builder(4);
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      builder.addBuffer(Math.max(1, problem.size(buffer) - random.nextInt(2)));
      builder.addInterval(problem.firstPoint(buffer), problem.lastPoint(buffer));
    }
    return builder.build();
  }
}
