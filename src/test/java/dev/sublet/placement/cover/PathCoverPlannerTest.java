package dev.sublet.placement.cover;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PathCoverPlannerTest {

  private static Placement place(PlanningProblem problem) {
    Placement placement =
        new PathCoverPlanner().place(problem, PlannerOptions.defaults(), new DiagnosticLog());
    PlacementCheck.assertValid(problem, placement);
    return placement;
  }

  /** The most buffers that are live at one point. */
  private static int overlap(PlanningProblem problem) {
    int most = 0;
    for (int i = 0; i < problem.intervalCount(); i++) {
      int live = 0;
      for (int j = 0; j < problem.intervalCount(); j++) {
        live += problem.begin(j) <= problem.begin(i) && problem.begin(i) < problem.end(j) ? 1 : 0;
      }
      most = Math.max(most, live);
    }
    return most;
  }

  private static long sumOfLargest(PlanningProblem problem, int[] groups) {
    long[] largest = new long[PathCoverPlanner.count(groups)];
    long sum = 0;
    for (int buffer = 0; buffer < groups.length; buffer++) {
      long more = Math.max(0, problem.size(buffer) - largest[groups[buffer]]);
      largest[groups[buffer]] += more;
      sum += more;
    }
    return sum;
  }

  private static void assertGroupsNeverMeet(PlanningProblem problem, int[] groups) {
    for (int a = 0; a < groups.length; a++) {
      for (int b = 0; b < a; b++) {
        assertWithMessage("%s and %s in\n%s", a, b, ProblemText.print(problem))
            .that(groups[a] == groups[b] && meet(problem, a, b))
            .isFalse();
      }
    }
  }

  private static boolean meet(PlanningProblem problem, int a, int b) {
    return problem.clearance(a, b) != PlanningProblem.NO_CLEARANCE;
  }

  /** The document's figure 8. */
  @Test
  void chainOfEqualTensors_alternatesBetweenTwoOffsets() {
    PlanningProblem.Builder chain = PlanningProblem.builder(1);
    for (int i = 0; i < 6; i++) {
      chain.addBuffer(10);
      chain.addInterval(i, i + 2);
    }

    Placement placement = place(chain.build());

    assertThat(placement.offsets().asList()).containsExactly(0L, 10L, 0L, 10L, 0L, 10L).inOrder();
    assertThat(placement.isProvedOptimal()).isTrue();
  }

  @Test
  void aBufferJoinsTheSmallestGroupThatIsLargeEnough_elseTheLargest() {
    PlanningProblem problem =
        ProblemText.problem(1, "9 0-2", "5 0-2", "7 0-2", "6 2-4", "20 2-4", "1 2-4");

    assertThat(LifetimeGroups.find(problem)).asList().containsExactly(0, 1, 2, 2, 0, 1).inOrder();
  }

  @Test
  void groupOfTheLargestBuffer_liesBelow() {
    PlanningProblem problem = ProblemText.problem(1, "2 0-2", "5 0-2", "3 1-3");

    assertThat(place(problem).offsets().asList()).containsExactly(8L, 0L, 5L).inOrder();
  }

  @Test
  void aBufferInTheGapOfAnother_sharesItsGroup() {
    PlanningProblem problem = ProblemText.problem(1, "5 0-2 8-9", "5 3-4", "5 5-6");

    assertThat(OrderGroups.find(problem)).asList().containsExactly(0, 0, 0).inOrder();
    assertThat(place(problem).arenaBytes()).isEqualTo(5);
  }

  /** 0 is before 1 and 1 before 2, but 0 comes back while 2 is there. */
  @Test
  void aPathIsCut_whereItsFirstMemberComesBack() {
    PlanningProblem problem = ProblemText.problem(1, "5 0-2 8-9", "5 3-4", "5 7-10");

    assertGroupsNeverMeet(problem, OrderGroups.find(problem));
    assertThat(PathCoverPlanner.count(OrderGroups.find(problem))).isEqualTo(2);
  }

  /** What the document proves: as many groups as buffers are live at one point at most. */
  @Test
  void withoutGaps_thereAreAsManyGroupsAsLiveBuffers_andTheArenaIsAtMostTheirLargest() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(
              random, 1 + random.nextInt(40), 30, 20, RandomProblems.Kind.PLAIN);
      int[] groups = LifetimeGroups.find(problem);

      assertGroupsNeverMeet(problem, groups);
      assertWithMessage(ProblemText.print(problem))
          .that(PathCoverPlanner.count(groups))
          .isEqualTo(overlap(problem));
      assertWithMessage(ProblemText.print(problem))
          .that(place(problem).arenaBytes())
          .isAtMost(sumOfLargest(problem, groups));
    }
  }

  @Test
  void fullProblems_areSolved_inGroupsThatNeverMeet() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 1 + random.nextInt(40), 30, 20, RandomProblems.Kind.FULL);
      place(problem);
      assertGroupsNeverMeet(problem, LifetimeGroups.find(problem));
      assertGroupsNeverMeet(problem, OrderGroups.find(problem));
    }
  }

  @Test
  void tooManyBuffersWithGaps_areGroupedAsIfTheyHadNone_andItSaysSo() {
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (int i = 0; i <= OrderGroups.MAX_BUFFERS; i++) {
      builder.addBuffer(3);
      builder.addInterval(3 * i, 3 * i + 1);
      builder.addInterval(3 * i + 2, 3 * i + 3);
    }
    DiagnosticLog log = new DiagnosticLog();

    Placement placement =
        new PathCoverPlanner().place(builder.build(), PlannerOptions.defaults(), log);

    assertThat(placement.arenaBytes()).isEqualTo(3);
    assertThat(log.diagnostics()).hasSize(1);
    assertThat(log.diagnostics().get(0).toString()).contains("too many for a minimum path cover");
  }
}
