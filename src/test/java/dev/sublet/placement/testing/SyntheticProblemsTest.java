package dev.sublet.placement.testing;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.PlacementCheck.arena;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** That the synthetic problems are what they say, and that greedy planners cope with large ones. */
final class SyntheticProblemsTest {

  @Test
  void tilings_haveNoHole() {
    for (long seed = 0; seed < 20; seed++) {
      int buffers = 1 + 4 * (int) (seed * seed);
      assertNoHole(SyntheticProblems.guillotine(seed, buffers), buffers);
      assertNoHole(SyntheticProblems.pinwheel(seed, buffers), buffers);
    }
  }

  private static void assertNoHole(SyntheticProblems.Tiling tiling, int buffers) {
    PlanningProblem problem = tiling.problem();
    long[] offsets = tiling.offsets().toArray();
    assertThat(problem.bufferCount()).isEqualTo(buffers);
    assertValid(problem, offsets);
    assertThat(arena(problem, offsets)).isEqualTo(tiling.height());
    assertThat(LowerBound.of(problem)).isEqualTo(tiling.height());
    long area = 0;
    int end = 0;
    for (int buffer = 0; buffer < buffers; buffer++) {
      int points = problem.lastPoint(buffer) - problem.firstPoint(buffer);
      area += points * problem.size(buffer);
      end = Math.max(end, problem.lastPoint(buffer));
    }
    assertThat(area).isEqualTo(end * tiling.height());
  }

  @Test
  void sameSeed_sameProblem() {
    assertThat(ProblemText.print(SyntheticProblems.training(1, 50)))
        .isEqualTo(ProblemText.print(SyntheticProblems.training(1, 50)));
    assertThat(ProblemText.print(SyntheticProblems.randomDag(1, 50)))
        .isNotEqualTo(ProblemText.print(SyntheticProblems.randomDag(2, 50)));
  }

  @Test
  void longTrainingTrace_isPlacedNearTheBound() {
    PlanningProblem problem = SyntheticProblems.training(7, 30_000);
    for (String planner :
        Arrays.asList(
            GreedyPlanners.GREEDY_SIZE.name(),
            GreedyPlanners.GREEDY_BREADTH.name(),
            GreedyPlanners.BEST_FIT.name(),
            GreedyPlanners.FIRST_FIT.name())) {
      DiagnosticLog log = new DiagnosticLog();
      Placement placement = Planners.of(planner).place(problem, PlannerOptions.defaults(), log);
      assertSound(problem, placement.offsets().toArray());
      assertWithMessage(planner).that(log.diagnostics()).isEmpty();
      double quotient = (double) placement.arenaBytes() / placement.lowerBound();
      assertWithMessage(planner).that(quotient).isAtMost(1.1);
    }
  }

  @Test
  void nestedLifetimes_whichAreLiveTogetherInPairsWithoutNumber_areStacked() {
    PlanningProblem.Builder builder = PlanningProblem.builder(64);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      builder.addBuffer(64L * (1 + i % 7));
      builder.addInterval(i, 2 * count - i);
    }
    PlanningProblem problem = builder.build();
    DiagnosticLog log = new DiagnosticLog();
    Placement placement = GreedyPlanners.GREEDY_SIZE.place(problem, PlannerOptions.defaults(), log);
    assertThat(placement.isProvedOptimal()).isTrue();
    assertThat(log.diagnostics()).isEmpty();
  }

  @Test
  void largeTraces_arePlacedSoundly() {
    for (PlanningProblem problem :
        List.of(
            SyntheticProblems.chain(3, 20_000),
            SyntheticProblems.randomDag(3, 20_000),
            SyntheticProblems.guillotine(3, 20_000).problem())) {
      for (BufferOrder order : BufferOrder.values()) {
        PlannerOptions options = new PlannerOptions(/* nodes= */ 0, /* timeoutMillis= */ 0, order);
        for (Planner planner : List.of(GreedyPlanners.FIRST_FIT, GreedyPlanners.BEST_FIT)) {
          Placement placement = planner.place(problem, options, new DiagnosticLog());
          assertSound(problem, placement.offsets().toArray());
        }
      }
    }
  }

  /** Sweeps over time; every buffer has one interval. */
  private static void assertSound(PlanningProblem problem, long[] offsets) {
    Integer[] byBegin = new Integer[offsets.length];
    Arrays.setAll(byBegin, buffer -> buffer);
    Integer[] byEnd = byBegin.clone();
    Arrays.sort(byBegin, (a, b) -> Integer.compare(problem.firstPoint(a), problem.firstPoint(b)));
    Arrays.sort(byEnd, (a, b) -> Integer.compare(problem.lastPoint(a), problem.lastPoint(b)));
    TreeMap<Long, Integer> live = new TreeMap<>();
    int ended = 0;
    for (int buffer : byBegin) {
      for (; problem.lastPoint(byEnd[ended]) <= problem.firstPoint(buffer); ended++) {
        live.remove(offsets[byEnd[ended]]);
      }
      assertThat(offsets[buffer] % problem.alignment(buffer)).isEqualTo(0);
      Map.Entry<Long, Integer> below = live.floorEntry(offsets[buffer]);
      Map.Entry<Long, Integer> above = live.ceilingEntry(offsets[buffer]);
      if (below != null) {
        assertThat(below.getKey() + problem.size(below.getValue())).isAtMost(offsets[buffer]);
      }
      if (above != null) {
        assertThat(offsets[buffer] + problem.size(buffer)).isAtMost(above.getKey());
      }
      live.put(offsets[buffer], buffer);
    }
  }
}
