package dev.sublet.placement;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.problem.SearchEffort;
import org.junit.jupiter.api.Test;

/** Tests how much {@link BestPlanner} spends on a gap that may be mere padding. */
public final class BestPlannerTest {

  private static final long UNIT = 64;

  /** Sizes in units, first points and ends. First fit in any order needs 5 units, the best 4. */
  private static final int[][] CORE = {{3, 3, 4}, {4, 5, 7}, {1, 2, 4}, {3, 0, 2}, {1, 0, 3}};

  @Test
  void paddingOfFewBuffers_isSearchedFor() {
    assertThat(place(1000, SearchEffort.NORMAL.forPrograms(), new DiagnosticLog()))
        .isEqualTo(4 * UNIT);
  }

  @Test
  void paddingOfManyBuffers_isSearchedFor_withMoreEffortOnly() {
    DiagnosticLog log = new DiagnosticLog();
    assertThat(place(150_000, SearchEffort.NORMAL.forPrograms(), log)).isEqualTo(5 * UNIT);
    assertThat(log.diagnostics().stream().map(d -> d.message()))
        .contains(
            "no search for a smaller arena: at most the padding of a buffer could be gained, and"
                + " 3906 nodes are few for 150005 buffers");
    assertThat(place(150_000, SearchEffort.HIGH.forPrograms(), new DiagnosticLog()))
        .isEqualTo(4 * UNIT);
  }

  /** The arena for the core and other buffers that are small, each of which lives twice. */
  private static long place(int others, PlannerOptions options, DiagnosticLog log) {
    PlanningProblem.Builder problem = PlanningProblem.builder(UNIT);
    for (int[] buffer : CORE) {
      problem.addBuffer(buffer[0] * UNIT);
      problem.addInterval(buffer[1], buffer[2]);
    }
    for (int i = 0; i < others; i++) {
      problem.addBuffer(UNIT);
      problem.addInterval(10 + 3 * i, 11 + 3 * i);
      problem.addInterval(12 + 3 * i, 13 + 3 * i);
    }
    Placement placement = Planners.of(BestPlanner.NAME).place(problem.build(), options, log);
    assertThat(placement.lowerBound()).isEqualTo(4 * UNIT);
    return placement.arenaBytes();
  }
}
