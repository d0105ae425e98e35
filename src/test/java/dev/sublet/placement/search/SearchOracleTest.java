package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.BruteForce;
import dev.sublet.placement.testing.CoarseProblems;
import dev.sublet.placement.testing.CpSatOracle;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import dev.sublet.testing.LongForm;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the search says it has proved, against CP-SAT and brute force; the planners beside it. */
final class SearchOracleTest {

  private static final ImmutableList<RandomProblems.Kind> WITHOUT_WINDOWS =
      ImmutableList.of(
          RandomProblems.Kind.PLAIN,
          new RandomProblems.Kind(true, false, false, false),
          new RandomProblems.Kind(false, false, true, false),
          new RandomProblems.Kind(false, false, false, true),
          new RandomProblems.Kind(true, false, true, true));

  private static final ImmutableList<RandomProblems.Kind> WITH_WINDOWS =
      ImmutableList.of(
          new RandomProblems.Kind(false, true, false, false), RandomProblems.Kind.FULL);

  private static final String ALL_SEEN = "has seen all placements but those that interleave";

  private static Placement place(String planner, PlanningProblem problem, DiagnosticLog log) {
    return Planners.of(planner).place(problem, PlannerOptions.defaults(), log);
  }

  private static Placement search(PlanningProblem problem, DiagnosticLog log) {
    return place(SearchPlanner.NAME, problem, log);
  }

  private static PlanningProblem randomProblem(
      Random random, int minBuffers, int maxBuffers, int maxSize, RandomProblems.Kind kind) {
    int buffers = minBuffers + random.nextInt(maxBuffers - minBuffers + 1);
    int points = 3 + random.nextInt(buffers);
    return random.nextBoolean()
        ? RandomProblems.generate(random, buffers, points, maxSize, kind)
        : CoarseProblems.generate(random, buffers, points, 1 + maxSize / 3, kind);
  }

  /** Optimal, proved, and not undercut by any planner or bound. */
  private static void assertProved(PlanningProblem problem, long optimum, String text) {
    DiagnosticLog log = new DiagnosticLog();
    Placement search = search(problem, log);
    PlacementCheck.assertValid(problem, search);
    assertWithMessage(text).that(search.arenaBytes()).isEqualTo(optimum);
    assertWithMessage(text).that(search.isProvedOptimal()).isTrue();
    assertWithMessage(text).that(log.diagnostics()).isEmpty();
    assertPlanners(problem, optimum, search.arenaBytes(), text);
  }

  private static void assertPlanners(
      PlanningProblem problem, long optimum, long searched, String text) {
    assertWithMessage(text).that(LowerBound.of(problem)).isAtMost(optimum);
    long best = arena(Planners.BEST, problem, optimum, text);
    if (!problem.hasWindows()) {
      // Some planners interleave buffers with windows, which the search does not.
      assertWithMessage(text).that(best).isAtLeast(searched);
    }
    for (String planner : Planners.names()) {
      long arena = arena(planner, problem, optimum, text);
      assertWithMessage("%s\n%s", planner, text).that(arena).isAtLeast(best);
    }
  }

  private static long arena(String planner, PlanningProblem problem, long optimum, String text) {
    Placement placement = place(planner, problem, new DiagnosticLog());
    PlacementCheck.assertValid(problem, placement);
    assertWithMessage("%s\n%s", planner, text).that(placement.arenaBytes()).isAtLeast(optimum);
    assertWithMessage("%s\n%s", planner, text).that(placement.lowerBound()).isAtMost(optimum);
    return placement.arenaBytes();
  }

  private static long greedyArena(PlanningProblem problem) {
    return place(GreedyPlanners.GREEDY_SIZE.name(), problem, new DiagnosticLog()).arenaBytes();
  }

  private static String text(long seed, PlanningProblem problem) {
    return "seed " + seed + "\n" + ProblemText.print(problem);
  }

  @Test
  void withoutWindows_isTheOptimumOfCpSat() {
    int searched = 0;
    for (int seed = 0; seed < 200; seed++) {
      RandomProblems.Kind kind = WITHOUT_WINDOWS.get(seed % WITHOUT_WINDOWS.size());
      PlanningProblem problem =
          randomProblem(
              new Random(seed), 8, kind.equals(RandomProblems.Kind.PLAIN) ? 20 : 13, 20, kind);
      long optimum = CpSatOracle.optimum(problem, greedyArena(problem));
      assertProved(problem, optimum, text(seed, problem));
      searched += optimum > LowerBound.of(problem) ? 1 : 0;
    }
    assertWithMessage("problems whose optimum is above the load").that(searched).isAtLeast(30);
  }

  @Test
  void tooLargeForTheBudget_claimsNothingThatCpSatRefutes() {
    int open = 0;
    for (int seed = 0; seed < 60; seed++) {
      RandomProblems.Kind kind = WITHOUT_WINDOWS.get(seed % WITHOUT_WINDOWS.size());
      PlanningProblem problem = randomProblem(new Random(seed), 15, 17, 20, kind);
      String text = text(seed, problem);
      long optimum = CpSatOracle.optimum(problem, greedyArena(problem));
      PlannerOptions options =
          new PlannerOptions(/* nodes= */ 1000, /* timeoutMillis= */ 0, BufferOrder.SIZE);
      Placement search =
          Planners.of(SearchPlanner.NAME).place(problem, options, new DiagnosticLog());
      PlacementCheck.assertValid(problem, search);
      assertWithMessage(text).that(search.arenaBytes()).isAtLeast(optimum);
      assertWithMessage(text).that(search.lowerBound()).isAtMost(optimum);
      open += search.isProvedOptimal() ? 0 : 1;
    }
    assertWithMessage("problems that end without a proof").that(open).isAtLeast(3);
  }

  @Test
  void withoutWindows_isTheOptimumOfBruteForce() {
    int problems = LongForm.tries(/* usual= */ 170, /* all= */ 500);
    for (int seed = 0; seed < problems; seed++) {
      PlanningProblem problem =
          randomProblem(
              new Random(seed), 2, 12, 4, WITHOUT_WINDOWS.get(seed % WITHOUT_WINDOWS.size()));
      assertProved(problem, BruteForce.optimum(problem), text(seed, problem));
    }
  }

  @Test
  void withWindows_provesNothingThatCpSatRefutes() {
    int seen = 0;
    for (int seed = 0; seed < 120; seed++) {
      PlanningProblem problem =
          randomProblem(new Random(seed), 6, 16, 12, WITH_WINDOWS.get(seed % 2));
      String text = text(seed, problem);
      long greedy = greedyArena(problem);
      long optimum = CpSatOracle.optimum(problem, greedy);
      DiagnosticLog log = new DiagnosticLog();
      Placement search = search(problem, log);
      PlacementCheck.assertValid(problem, search);
      assertWithMessage(text).that(search.lowerBound()).isAtMost(optimum);
      if (!search.isProvedOptimal()) {
        assertWithMessage(text).that(log.diagnostics()).hasSize(1);
        assertWithMessage(text).that(log.diagnostics().get(0).message()).contains(ALL_SEEN);
        long ordered = CpSatOracle.orderedOptimum(problem, greedy);
        assertWithMessage(text).that(search.arenaBytes()).isEqualTo(ordered);
        seen++;
      }
      assertPlanners(problem, optimum, search.arenaBytes(), text);
    }
    assertWithMessage("problems that end without a proof").that(seen).isAtLeast(10);
  }

  @Test
  void withWindows_isTheOrderedOptimumOfBruteForce() {
    for (int seed = 0; seed < 500; seed++) {
      PlanningProblem problem =
          randomProblem(new Random(seed), 2, 8, 4, WITH_WINDOWS.get(seed % 2));
      String text = text(seed, problem);
      Placement search = search(problem, new DiagnosticLog());
      PlacementCheck.assertValid(problem, search);
      long ordered = BruteForce.orderedOptimum(problem);
      assertWithMessage(text).that(search.arenaBytes()).isEqualTo(ordered);
      assertPlanners(problem, BruteForce.optimum(problem), search.arenaBytes(), text);
    }
  }

  @Test
  void oracles_agree() {
    for (int seed = 0; seed < 60; seed++) {
      PlanningProblem problem = randomProblem(new Random(seed), 2, 7, 6, RandomProblems.Kind.FULL);
      long greedy = greedyArena(problem);
      String text = text(seed, problem);
      assertWithMessage(text)
          .that(CpSatOracle.optimum(problem, greedy))
          .isEqualTo(BruteForce.optimum(problem));
      assertWithMessage(text)
          .that(CpSatOracle.orderedOptimum(problem, greedy))
          .isEqualTo(BruteForce.orderedOptimum(problem));
    }
  }
}
