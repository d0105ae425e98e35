package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.BruteForce;
import dev.sublet.placement.testing.CoarseProblems;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Buffers that meet pairwise, though never all at one point. */
final class CliqueBoundTest {

  private static final ImmutableList<RandomProblems.Kind> WITH_HOLES =
      ImmutableList.of(
          new RandomProblems.Kind(true, false, false, false),
          new RandomProblems.Kind(true, false, true, true));

  private static long bound(PlanningProblem problem) {
    return CliqueBound.of(requireNonNull(SearchModel.of(problem, 1 << 20)));
  }

  /** A loop that computes {@code t0, t1, …} from {@code a0, a1, …} and then copies each back. */
  private static PlanningProblem carries(int count, int size) {
    PlanningProblem.Builder problem = PlanningProblem.builder(64);
    for (int i = 0; i < count; i++) {
      problem.addBuffer(size);
      problem.addInterval(0, i + 1);
      problem.addInterval(count + i, 2 * count + 1);
      problem.addBuffer(size);
      problem.addInterval(i, count + i + 1);
    }
    return problem.build();
  }

  @Test
  void carriedVariablesAndTheirNextValues_areAllOneClique() {
    assertThat(LowerBound.of(carries(100, 64))).isEqualTo(101 * 64);
    assertThat(bound(carries(100, 64))).isEqualTo(200 * 64);
    // The topmost buffer is not followed by padding.
    assertThat(bound(carries(10, 60))).isEqualTo(20 * 64 - 4);
  }

  @Test
  void search_endsBeforeItBeginsIfTheBoundIsReached() {
    PlanningProblem problem = carries(100, 64);
    Placement greedy =
        GreedyPlanners.GREEDY_SIZE.place(problem, PlannerOptions.defaults(), new DiagnosticLog());
    DiagnosticLog log = new DiagnosticLog();
    Placement placement =
        new SearchPlanner().improve(problem, greedy, PlannerOptions.defaults(), log);
    assertThat(placement.isProvedOptimal()).isTrue();
    assertThat(placement.nodes()).isEqualTo(0);
    assertThat(log.diagnostics()).isEmpty();
  }

  @Test
  void randomProblems_needNoLess() {
    int above = 0;
    for (int seed = 0; seed < 1500; seed++) {
      Random random = new Random(seed);
      RandomProblems.Kind kind = WITH_HOLES.get(seed % 2);
      PlanningProblem problem = CoarseProblems.generate(random, 9, 3 + seed % 7, 2, kind);
      long bound = bound(problem);
      // Other tests judge the bound of the heaviest section.
      if (bound > LowerBound.of(problem)) {
        above++;
        assertWithMessage("seed %s\n%s", seed, ProblemText.print(problem))
            .that(bound)
            .isAtMost(BruteForce.optimum(problem));
      }
    }
    assertThat(above).isAtLeast(20);
  }

  @Test
  void withoutHolesOrWithWindows_nothingIsSaid() {
    Random random = new Random(1);
    PlanningProblem plain = RandomProblems.generate(random, 9, 9, 9, RandomProblems.Kind.PLAIN);
    PlanningProblem windows = RandomProblems.generate(random, 9, 9, 9, RandomProblems.Kind.FULL);
    assertThat(bound(plain)).isEqualTo(0);
    assertThat(bound(windows)).isEqualTo(0);
  }
}
