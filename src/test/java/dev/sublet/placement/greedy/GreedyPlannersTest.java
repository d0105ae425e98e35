package dev.sublet.placement.greedy;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;
import static dev.sublet.placement.testing.ProblemText.problem;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.Planners;
import dev.sublet.placement.cover.CoverPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The planners that place buffers one by one: their orders, their gaps, and all difficulties. */
final class GreedyPlannersTest {

  private static Placement place(String planner, PlanningProblem problem) {
    return place(planner, problem, BufferOrder.SIZE);
  }

  private static Placement place(String planner, PlanningProblem problem, BufferOrder order) {
    PlannerOptions options = new PlannerOptions(/* nodes= */ 20_000, /* timeoutMillis= */ 0, order);
    return Planners.of(planner).place(problem, options, new DiagnosticLog());
  }

  private static void assertOffsets(Placement placement, long... offsets) {
    assertThat(placement.offsets().toArray()).isEqualTo(offsets);
  }

  @Test
  void everyPlanner_usesALeadingGap() {
    // A planner that only looks behind the buffers before it needs 240 here.
    PlanningProblem problem = problem(1, "100 0-2", "80 1-3", "60 2-4");
    for (String planner : Planners.names()) {
      Placement placement = place(planner, problem);
      // Its source stacks, and looks into no gap.
      boolean stacks = planner.equals(CoverPlanners.STACK.name());
      assertWithMessage(planner).that(placement.arenaBytes()).isEqualTo(stacks ? 240 : 180);
      assertWithMessage(planner).that(placement.isProvedOptimal()).isEqualTo(!stacks);
    }
  }

  @Test
  void everyPlanner_placesNothing() {
    for (String planner : Planners.names()) {
      Placement placement = place(planner, problem(64));
      assertWithMessage(planner).that(placement.arenaBytes()).isEqualTo(0);
    }
  }

  @Property(tries = 100)
  void everyPlanner_isValidAndDeterministic(@ForAll long seed) {
    for (RandomProblems.Kind kind :
        Arrays.asList(RandomProblems.Kind.FULL, RandomProblems.Kind.PLAIN)) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 1 + random.nextInt(30), 30, 50, kind);
      for (String planner : Planners.names()) {
        Placement placement = place(planner, problem);
        assertThat(placement.planner()).isNotEmpty();
        assertValid(problem, placement);
        assertThat(place(planner, problem).offsets()).isEqualTo(placement.offsets());
      }
    }
  }

  @Property(tries = 100)
  void everyOrder_isValid(@ForAll long seed) {
    PlanningProblem problem =
        RandomProblems.generate(new Random(seed), 40, 40, 50, RandomProblems.Kind.FULL);
    for (BufferOrder order : BufferOrder.values()) {
      assertValid(problem, place(GreedyPlanners.FIRST_FIT.name(), problem, order));
      assertValid(problem, place(GreedyPlanners.BEST_FIT.name(), problem, order));
    }
  }

  @Test
  void unknownPlanner_isAUsageError() {
    ProgramException thrown =
        assertThrows(ProgramException.class, () -> place("greedy", problem(1, "1 0-1")));
    assertThat(thrown)
        .hasMessageThat()
        .contains(
            "there is no planner 'greedy'; did you mean 'greedy-size'? The planners are: best, ");
  }

  @Test
  void firstFit_takesTheLowestGap_bestFitTheTightest() {
    // Pins leave a gap of 30 bytes at 10 and one of 20 bytes at 50.
    PlanningProblem problem =
        problem(1, "10 pin=0 0-2", "10 pin=40 0-2", "10 pin=70 0-2", "20 0-2", "5 1-2");
    assertOffsets(place(GreedyPlanners.FIRST_FIT.name(), problem), 0, 40, 70, 10, 30);
    assertOffsets(place(GreedyPlanners.BEST_FIT.name(), problem), 0, 40, 70, 50, 10);
    assertOffsets(place(GreedyPlanners.GREEDY_SIZE.name(), problem), 0, 40, 70, 50, 10);
  }

  @Test
  void equalGaps_theLowestIsTaken() {
    PlanningProblem problem = problem(1, "10 pin=20 0-2", "10 pin=50 0-2", "15 0-2");
    assertOffsets(place(GreedyPlanners.BEST_FIT.name(), problem), 20, 50, 0);
  }

  @Test
  void aGap_isMeasuredFromWhereTheBufferWouldLie() {
    // [10, 30) leaves 14 bytes at 16, [60, 76) leaves 12 at 64: both hold 8, the latter tighter.
    PlanningProblem problem =
        problem(1, "10 pin=0 0-1", "30 pin=30 0-1", "10 pin=76 0-1", "8 align=16 0-1");
    assertOffsets(place(GreedyPlanners.BEST_FIT.name(), problem), 0, 30, 76, 64);
  }

  @Test
  void equalSizes_greedyBySizeTakesTheFirst_bestFitTheLongest() {
    PlanningProblem problem = problem(1, "10 1-4", "10 0-2", "10 1-4");
    assertOffsets(place(GreedyPlanners.GREEDY_SIZE.name(), problem), 10, 0, 20);
    assertOffsets(place(GreedyPlanners.BEST_FIT.name(), problem), 0, 20, 10);
  }

  @Test
  void greedyByBreadth_takesTheWidestPointFirst() {
    // At point 3 there are 4 + 5 + 3 bytes, so they come before the 7 that are live at 0 and 1.
    PlanningProblem problem = problem(1, "7 0-2", "4 1-4", "5 3-5", "3 3-4");
    assertOffsets(place(GreedyPlanners.GREEDY_BREADTH.name(), problem), 9, 5, 0, 9);
    assertOffsets(place(GreedyPlanners.GREEDY_SIZE.name(), problem), 0, 7, 0, 11);
  }

  @Test
  void buffersWithHolesAndWindows_lendTheirBytes() {
    for (String planner :
        Arrays.asList(
            GreedyPlanners.GREEDY_SIZE.name(),
            GreedyPlanners.GREEDY_BREADTH.name(),
            GreedyPlanners.BEST_FIT.name(),
            GreedyPlanners.FIRST_FIT.name())) {
      assertOffsets(place(planner, problem(1, "64 0-2 6-8", "64 3-5")), 0, 0);
      assertOffsets(place(planner, problem(1, "64 0-2@32:64", "32 0-2")), 0, 0);
    }
  }

  @Test
  void orders_andTheirTies() {
    PlanningProblem problem = problem(1, "8 2-4", "9 3-4", "8 0-4", "2 0-9 10-12", "9 3-4");
    assertThat(BufferOrder.SIZE.sort(problem)).isEqualTo(new int[] {1, 4, 2, 0, 3});
    // Areas: 16, 9, 32, 22, 9.
    assertThat(BufferOrder.AREA.sort(problem)).isEqualTo(new int[] {2, 3, 0, 1, 4});
    assertThat(BufferOrder.DURATION.sort(problem)).isEqualTo(new int[] {3, 2, 0, 1, 4});
    assertThat(BufferOrder.START.sort(problem)).isEqualTo(new int[] {2, 3, 0, 1, 4});
    // All five are live at point 3, the second interval of buffer 3 with nobody.
    assertThat(BufferOrder.CONFLICTS.sort(problem)).isEqualTo(new int[] {1, 4, 2, 0, 3});
    PlanningProblem chain = problem(1, "9 0-2", "1 1-3", "5 2-4");
    assertThat(BufferOrder.CONFLICTS.sort(chain)).isEqualTo(new int[] {1, 0, 2});
  }

  @Property(tries = 100)
  void conflicts_areWhatComparingAllGives(@ForAll long seed) {
    PlanningProblem problem =
        RandomProblems.generate(new Random(seed), 30, 30, 1, RandomProblems.Kind.PLAIN);
    int[] order = BufferOrder.CONFLICTS.sort(problem);
    for (int i = 1; i < order.length; i++) {
      assertThat(conflicts(problem, order[i - 1])).isAtLeast(conflicts(problem, order[i]));
    }
  }

  private static int conflicts(PlanningProblem problem, int buffer) {
    int conflicts = 0;
    for (int other = 0; other < problem.bufferCount(); other++) {
      boolean conflict = problem.clearance(buffer, other) != PlanningProblem.NO_CLEARANCE;
      conflicts += other != buffer && conflict ? 1 : 0;
    }
    return conflicts;
  }

  @Test
  void sizesBeyondInt_areAdded() {
    long tebi = 1L << 40;
    PlanningProblem problem = problem(64, tebi + " 0-2", tebi + " 0-2", tebi + " 1-3");
    for (String planner : Planners.names()) {
      assertWithMessage(planner).that(place(planner, problem).arenaBytes()).isEqualTo(3 * tebi);
    }
  }
}
