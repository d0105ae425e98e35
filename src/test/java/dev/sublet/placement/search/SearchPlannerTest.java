package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.placement.testing.ProblemText.problem;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.BruteForce;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.SyntheticProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search as a planner: what it does with its budget, and that it does it again. */
final class SearchPlannerTest {

  private static Placement search(PlanningProblem problem, long nodes, DiagnosticLog log) {
    PlannerOptions options = new PlannerOptions(nodes, /* timeoutMillis= */ 0, BufferOrder.SIZE);
    return Planners.of(SearchPlanner.NAME).place(problem, options, log);
  }

  @Test
  void sameProblemAndBudget_sameAnswer_thoughTwoThreadsWork() {
    SyntheticProblems.Tiling tiling = SyntheticProblems.pinwheel(/* seed= */ 1, 1001);
    Placement first = search(tiling.problem(), 60_000, new DiagnosticLog());
    // The whole budget is spent, three times what one thread searches alone.
    assertThat(first.isProvedOptimal()).isFalse();
    for (int run = 0; run < 9; run++) {
      assertThat(search(tiling.problem(), 60_000, new DiagnosticLog())).isEqualTo(first);
    }
  }

  @Test
  void smallBudget_isAValidPlacementAnHonestBoundAndANote() {
    SyntheticProblems.Tiling tiling = SyntheticProblems.pinwheel(/* seed= */ 1, 401);
    long draft =
        Planners.of(GreedyPlanners.FIRST_FIT.name())
            .place(tiling.problem(), PlannerOptions.defaults(), new DiagnosticLog())
            .arenaBytes();
    for (long nodes : new long[] {0, 1, 100, 10_000}) {
      DiagnosticLog log = new DiagnosticLog();
      Placement placement = search(tiling.problem(), nodes, log);
      PlacementCheck.assertValid(tiling.problem(), placement);
      assertThat(placement.arenaBytes()).isAtMost(draft);
      assertThat(placement.lowerBound()).isEqualTo(tiling.height());
      assertThat(placement.isProvedOptimal()).isFalse();
      assertThat(log.diagnostics()).hasSize(1);
      assertThat(log.diagnostics().get(0).message())
          .isEqualTo(
              "the search for a smaller arena ended with its budget after "
                  + placement.nodes()
                  + " nodes");
    }
  }

  @Test
  void tooLarge_isTheGreedyPlacementAndAWarning() {
    // An arena of 2^31 units; the lower bound is not met, since the pin splits it.
    long size = 1L << 30;
    PlanningProblem problem =
        problem(1, size + " 0-2", (size + 1) + " 1-3", (size + 3) + " 2-4", "1 pin=5 0-4");
    DiagnosticLog log = new DiagnosticLog();
    Placement placement = search(problem, 1000, log);
    PlacementCheck.assertValid(problem, placement);
    assertThat(log.diagnostics()).hasSize(1);
    assertThat(log.diagnostics().get(0).message()).contains("too large");
  }

  /** Buffers of up to 6 bytes, and one of 7 that only offset 0 will do for. */
  private static PlanningProblem problemAroundOffsetZero(Random random, long alignment) {
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    builder.addBuffer(7, alignment, PlanningProblem.NOT_PINNED);
    builder.addInterval(4, 6);
    for (int b = 0; b < 7; b++) {
      int begin = random.nextInt(9);
      builder.addBuffer(1 + random.nextInt(6));
      builder.addInterval(begin, begin + 1 + random.nextInt(4));
    }
    return builder.build();
  }

  @Test
  void alignmentsBeyondInt_areKept() {
    for (int seed = 0; seed < 100; seed++) {
      PlanningProblem problem =
          problemAroundOffsetZero(new Random(seed), /* alignment= */ 1L << (31 + seed % 10));
      DiagnosticLog log = new DiagnosticLog();
      Placement placement = search(problem, 100_000, log);
      PlacementCheck.assertValid(problem, placement);
      assertThat(log.diagnostics()).isEmpty();
      assertThat(placement.isProvedOptimal()).isTrue();
      assertThat(placement.arenaBytes()).isEqualTo(BruteForce.optimum(problem));
    }
  }

  @Test
  void loadThatCannotBeMet_isProved() {
    // The pins leave 3 and 5 bytes below them and between them; 4 fits above only.
    PlanningProblem problem = problem(1, "2 pin=3 0-1", "2 pin=10 0-1", "6 0-1", "1 0-1");
    Placement placement = search(problem, 1000, new DiagnosticLog());
    assertThat(placement.arenaBytes()).isEqualTo(18);
    assertThat(placement.isProvedOptimal()).isTrue();
    assertThat(LowerBound.of(problem)).isEqualTo(12);
  }
}
