package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.ProblemText.problem;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.search.DepthFirstSearch.Outcome;
import dev.sublet.placement.testing.BruteForce;
import dev.sublet.placement.testing.CoarseProblems;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A single search against brute force, in whatever order it prefers the buffers. */
final class DepthFirstSearchTest {

  private static final ImmutableList<RandomProblems.Kind> KINDS =
      ImmutableList.of(
          RandomProblems.Kind.PLAIN,
          new RandomProblems.Kind(true, false, false, false),
          new RandomProblems.Kind(false, false, true, false),
          new RandomProblems.Kind(false, false, false, true),
          new RandomProblems.Kind(true, false, true, true),
          new RandomProblems.Kind(false, true, false, false),
          RandomProblems.Kind.FULL);

  private static SearchModel model(PlanningProblem problem) {
    Placement known =
        GreedyPlanners.GREEDY_SIZE.place(problem, PlannerOptions.defaults(), new DiagnosticLog());
    return requireNonNull(SearchModel.of(problem, known.arenaBytes()));
  }

  /** An order by random criteria, with what a search could have learned. */
  private static int[] randomOrder(Random random, SearchModel model) {
    List<Character> criteria = new ArrayList<>(List.of('T', 'W', 'C', 'A', 'Z'));
    Collections.shuffle(criteria, random);
    StringBuilder word = new StringBuilder();
    for (char criterion : criteria.subList(0, random.nextInt(4))) {
      word.append(criterion);
    }
    long[] loads = random.longs(model.sections, 0, 5).toArray();
    return new SearchOrders(model).order(word.toString(), loads);
  }

  private static PlanningProblem randomProblem(Random random, RandomProblems.Kind kind) {
    int buffers = 1 + random.nextInt(8);
    int points = 1 + random.nextInt(10);
    return random.nextBoolean()
        ? RandomProblems.generate(random, buffers, points, 1 + random.nextInt(5), kind)
        : CoarseProblems.generate(random, buffers, points, 1 + random.nextInt(3), kind);
  }

  private static long[] offsets(SearchModel model, DepthFirstSearch search) {
    long[] offsets = new long[model.count];
    for (int b = 0; b < offsets.length; b++) {
      offsets[b] = search.offset(b) * model.unit;
    }
    return offsets;
  }

  @Test
  void finds_atTheOptimum_andNothingBelow() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem = randomProblem(random, KINDS.get(seed % KINDS.size()));
      String text = "seed " + seed + "\n" + ProblemText.print(problem);
      long optimum = BruteForce.orderedOptimum(problem);
      SearchModel model = model(problem);
      int[] order = randomOrder(random, model);

      DepthFirstSearch below = new DepthFirstSearch(model, order, optimum - 1);
      assertWithMessage(text).that(below.run(Long.MAX_VALUE)).isEqualTo(Outcome.EXHAUSTED);

      DepthFirstSearch search = new DepthFirstSearch(model, order, optimum);
      assertWithMessage(text).that(search.run(Long.MAX_VALUE)).isEqualTo(Outcome.FOUND);
      long[] offsets = offsets(model, search);
      PlacementCheck.assertValid(problem, offsets);
      assertWithMessage(text).that(PlacementCheck.arena(problem, offsets)).isEqualTo(optimum);
    }
  }

  @Test
  void stoppedAndContinued_isTheSameSearch() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 14, 14, 9, KINDS.get(seed % KINDS.size()));
      SearchModel model = model(problem);
      int[] order = randomOrder(random, model);
      long target = LowerBound.of(problem) + random.nextInt(3);
      DepthFirstSearch whole = new DepthFirstSearch(model, order, target);
      Outcome outcome = whole.run(20_000);
      DepthFirstSearch parts = new DepthFirstSearch(model, order, target);
      while (parts.steps() < 20_000 && parts.run(1 + random.nextInt(50)) == Outcome.RUNNING) {
        assertThat(parts.nodes()).isAtMost(whole.nodes() + 50);
      }
      if (outcome != Outcome.RUNNING) {
        assertThat(parts.run(0)).isEqualTo(outcome);
        assertThat(parts.nodes()).isEqualTo(whole.nodes());
        assertThat(parts.steps()).isEqualTo(whole.steps());
      }
      if (outcome == Outcome.FOUND) {
        assertThat(offsets(model, parts)).isEqualTo(offsets(model, whole));
      }
    }
  }

  @Test
  void equalOffsets_theOneBelowComesFirst_whicheverIsPreferred() {
    // Buffer 1 may lie at buffer 0's offset, but only above it: 0 has to be placed before it.
    PlanningProblem problem = problem(1, "4 0-2@0:2", "4 0-2@2:4");
    SearchModel model = model(problem);
    for (int[] order : new int[][] {{0, 1}, {1, 0}}) {
      DepthFirstSearch search = new DepthFirstSearch(model, order, 4);
      assertThat(search.run(1000)).isEqualTo(Outcome.FOUND);
      assertThat(offsets(model, search)).isEqualTo(new long[] {0, 0});
    }
  }

  @Test
  void independentPieces_areSolvedOneByOne() {
    // Ten times three buffers: at most six nodes a piece, whatever the others do.
    List<String> buffers = new ArrayList<>();
    for (int piece = 0; piece < 10; piece++) {
      int at = 10 * piece;
      buffers.add("2 " + at + "-" + (at + 2));
      buffers.add("2 " + (at + 1) + "-" + (at + 4));
      buffers.add("1 " + (at + 3) + "-" + (at + 5));
    }
    PlanningProblem problem = problem(1, buffers.toArray(new String[0]));
    SearchModel model = model(problem);
    int[] order = new SearchOrders(model).order("", new long[model.sections]);
    DepthFirstSearch search = new DepthFirstSearch(model, order, 4);
    assertThat(search.run(Long.MAX_VALUE)).isEqualTo(Outcome.FOUND);
    assertThat(search.nodes()).isAtMost(60);
  }
}
