package dev.sublet.placement.cover;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StackPlannerTest {

  private static ImmutableList<Long> offsets(PlanningProblem problem) {
    return place(problem).offsets().asList().stream().collect(ImmutableList.toImmutableList());
  }

  private static Placement place(PlanningProblem problem) {
    Placement placement =
        new StackPlanner().place(problem, PlannerOptions.defaults(), new DiagnosticLog());
    PlacementCheck.assertValid(problem, placement);
    return placement;
  }

  /** The document's worst case, figure 7: two buffers would do. */
  @Test
  void chainOfEqualTensors_becomesAStaircase() {
    PlanningProblem.Builder chain = PlanningProblem.builder(1);
    for (int i = 0; i < 6; i++) {
      chain.addBuffer(10);
      chain.addInterval(i, i + 2);
    }

    PlanningProblem problem = chain.build();

    assertThat(offsets(problem)).containsExactly(0L, 10L, 20L, 30L, 40L, 50L).inOrder();
    assertThat(LowerBound.of(problem)).isEqualTo(20);
  }

  @Test
  void longestComesFirst_thenLargest_thenFirst() {
    PlanningProblem problem = ProblemText.problem(1, "4 0-2", "8 0-2", "1 0-3", "8 1-3");

    assertThat(offsets(problem)).containsExactly(17L, 1L, 0L, 9L).inOrder();
  }

  @Test
  void durationOfABufferWithGaps_isThatOfItsIntervals() {
    PlanningProblem problem = ProblemText.problem(1, "5 0-1 8-9", "7 0-3");

    assertThat(offsets(problem)).containsExactly(7L, 0L).inOrder();
  }

  @Test
  void aBufferWithAGap_goesAboveTheHighestOfItsIntervals_andLendsItsGap() {
    PlanningProblem problem = ProblemText.problem(1, "5 0-4", "3 5-9", "2 0-1 8-9", "9 5-6");

    assertThat(offsets(problem)).containsExactly(0L, 0L, 5L, 3L).inOrder();
  }

  @Test
  void aWindow_hangsDownIntoTheBufferBelow() {
    PlanningProblem problem = ProblemText.problem(1, "6 0-4", "10 0-2@4:10");

    assertThat(offsets(problem)).containsExactly(0L, 2L).inOrder();
  }

  @Test
  void offsetsAreMultiplesOfTheAlignment() {
    PlanningProblem problem = ProblemText.problem(1, "5 0-4", "3 align=8 0-3", "1 0-2");

    assertThat(offsets(problem)).containsExactly(0L, 8L, 11L).inOrder();
  }

  @Test
  void buffersLieBelowAPinIfTheyFit_elseAboveIt() {
    PlanningProblem problem = ProblemText.problem(1, "5 pin=8 0-4", "8 0-3", "1 0-2");
    PlanningProblem tooTight = ProblemText.problem(1, "5 pin=8 0-4", "9 0-3", "1 0-2");

    assertThat(offsets(problem)).containsExactly(8L, 0L, 13L).inOrder();
    assertThat(offsets(tooTight)).containsExactly(8L, 13L, 22L).inOrder();
  }

  @Test
  void aBufferThatGoesAboveOnePin_mayHaveToGoAboveTheNextToo() {
    PlanningProblem problem = ProblemText.problem(1, "4 pin=9 0-4", "4 pin=3 0-4", "5 0-3");

    assertThat(offsets(problem)).containsExactly(9L, 3L, 13L).inOrder();
  }

  @Test
  void randomProblems_areSolved() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      RandomProblems.Kind kind =
          seed % 2 == 0 ? RandomProblems.Kind.FULL : RandomProblems.Kind.PLAIN;
      place(RandomProblems.generate(random, 1 + random.nextInt(30), 25, 20, kind));
    }
  }

  @Test
  void noBuffers_needNoBytes() {
    assertThat(place(ProblemText.problem(64)).arenaBytes()).isEqualTo(0);
  }
}
