package dev.sublet.placement.problem;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who interferes, and with how many. */
final class InterferenceGraphTest {

  @Test
  void degree_chain_endsHaveOneNeighbor() {
    InterferenceGraph graph =
        new InterferenceGraph(ProblemText.problem(1, "1 0-1", "1 0-2", "1 1-3", "1 2-3"));
    assertThat(graph.degree(0)).isEqualTo(1);
    assertThat(graph.degree(1)).isEqualTo(2);
    assertThat(graph.degree(2)).isEqualTo(2);
    assertThat(graph.degree(3)).isEqualTo(1);
  }

  @Test
  void interfere_withinAHole_no() {
    InterferenceGraph graph =
        new InterferenceGraph(ProblemText.problem(1, "1 0-2 5-7", "1 2-5", "1 4-6"));
    assertThat(graph.interfere(0, 1)).isFalse();
    assertThat(graph.interfere(0, 2)).isTrue();
    assertThat(graph.degree(1)).isEqualTo(1);
  }

  @Test
  void countPairs_countsIntervalsThatOverlap() {
    PlanningProblem problem = ProblemText.problem(1, "1 0-2 5-7", "1 2-5", "1 4-6", "1 0-1");
    assertThat(InterferenceGraph.countPairs(problem)).isEqualTo(3);
  }

  @Test
  void degree_random_isTheNumberOfThoseThatInterfere() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 30, 25, 9, RandomProblems.Kind.FULL);
      InterferenceGraph graph = new InterferenceGraph(problem);
      for (int a = 0; a < problem.bufferCount(); a++) {
        int degree = 0;
        for (int b = 0; b < problem.bufferCount(); b++) {
          boolean together = problem.clearance(a, b) != PlanningProblem.NO_CLEARANCE;
          degree += a != b && together ? 1 : 0;
          assertThat(a != b && graph.interfere(a, b)).isEqualTo(a != b && together);
        }
        assertWithMessage("%s in\n%s", a, ProblemText.print(problem))
            .that(graph.degree(a))
            .isEqualTo(degree);
      }
    }
  }
}
