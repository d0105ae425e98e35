package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.ProblemText.problem;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.search.DepthFirstSearch.Outcome;
import dev.sublet.placement.testing.BruteForce;
import dev.sublet.placement.testing.CoarseProblems;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import dev.sublet.placement.testing.SyntheticProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search by sections against brute force, in one go and with restarts. */
final class SectionSearchTest {

  private static final ImmutableList<RandomProblems.Kind> KINDS =
      ImmutableList.of(
          RandomProblems.Kind.PLAIN,
          new RandomProblems.Kind(true, false, false, false),
          new RandomProblems.Kind(false, false, true, false),
          new RandomProblems.Kind(false, false, false, true),
          new RandomProblems.Kind(true, false, true, true));

  private static PlanningProblem randomProblem(Random random, RandomProblems.Kind kind) {
    int buffers = 1 + random.nextInt(8);
    int points = 1 + random.nextInt(10);
    return random.nextBoolean()
        ? RandomProblems.generate(random, buffers, points, 1 + random.nextInt(5), kind)
        : CoarseProblems.generate(random, buffers, points, 1 + random.nextInt(3), kind);
  }

  private static SearchModel model(PlanningProblem problem) {
    return requireNonNull(SearchModel.of(problem, 1 << 20));
  }

  private static SectionSearch search(SearchModel model, long arenaBytes) {
    int[] order = new SearchOrders(model).order("TWA", new long[model.sections]);
    return new SectionSearch(
        model, order, arenaBytes, new double[model.sections], new FailedStates());
  }

  private static long[] offsets(SearchModel model, SectionSearch search) {
    long[] offsets = new long[model.count];
    for (int b = 0; b < offsets.length; b++) {
      offsets[b] = search.offset(b) * model.unit;
    }
    return offsets;
  }

  @Test
  void finds_atTheOptimum_andNothingBelow() {
    for (int seed = 0; seed < 1500; seed++) {
      PlanningProblem problem = randomProblem(new Random(seed), KINDS.get(seed % KINDS.size()));
      String text = "seed " + seed + "\n" + ProblemText.print(problem);
      long optimum = BruteForce.orderedOptimum(problem);
      SearchModel model = model(problem);

      SectionSearch below = search(model, optimum - 1);
      assertWithMessage(text)
          .that(below.run(Long.MAX_VALUE, Long.MAX_VALUE))
          .isEqualTo(Outcome.EXHAUSTED);

      SectionSearch search = search(model, optimum);
      assertWithMessage(text)
          .that(search.run(Long.MAX_VALUE, Long.MAX_VALUE))
          .isEqualTo(Outcome.FOUND);
      assertPlaced(text, problem, offsets(model, search), optimum);
    }
  }

  @Test
  void restarts_changeNothing() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      RandomProblems.Kind kind = KINDS.get(seed % KINDS.size());
      PlanningProblem problem = RandomProblems.generate(random, 8, 8, 1 + seed % 6, kind);
      String text = "seed " + seed + "\n" + ProblemText.print(problem);
      long optimum = BruteForce.orderedOptimum(problem);
      SearchModel model = model(problem);
      SectionStrategy member =
          new SectionStrategy(
              model, new SearchOrders(model), new SectionStrategy.Kind(/* gapShare= */ 0, 1));
      // What failed within one byte less must not be taken for a proof that nothing fits.
      assertWithMessage(text).that(runToTheEnd(member, optimum - 1)).isEqualTo(Outcome.EXHAUSTED);
      assertWithMessage(text).that(runToTheEnd(member, optimum)).isEqualTo(Outcome.FOUND);
      assertPlaced(text, problem, member.offsets(), optimum);
    }
  }

  private static Outcome runToTheEnd(PortfolioMember member, long target) {
    do {
      member.run(target, target + 1, Long.MAX_VALUE);
    } while (member.outcome() == Outcome.RUNNING);
    return member.outcome();
  }

  private static void assertPlaced(
      String text, PlanningProblem problem, long[] offsets, long optimum) {
    PlacementCheck.assertValid(problem, offsets);
    assertWithMessage(text).that(PlacementCheck.arena(problem, offsets)).isAtMost(optimum);
  }

  @Test
  void perfectPackings_areSolvedWithFewMistakes() {
    for (int seed = 0; seed < 10; seed++) {
      SyntheticProblems.Tiling tiling = SyntheticProblems.pinwheel(seed, 157);
      SearchModel model = model(tiling.problem());
      SectionStrategy member =
          new SectionStrategy(
              model, new SearchOrders(model), new SectionStrategy.Kind(/* gapShare= */ 0, 30));
      assertWithMessage("seed %s", seed)
          .that(runToTheEnd(member, tiling.height()))
          .isEqualTo(Outcome.FOUND);
      assertThat(PlacementCheck.arena(tiling.problem(), member.offsets()))
          .isEqualTo(tiling.height());
      assertWithMessage("seed %s", seed).that(member.nodes()).isAtMost(10_000);
    }
  }

  @Test
  void stoppedAndContinued_isTheSameSearch() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 14, 14, 9, KINDS.get(seed % KINDS.size()));
      SearchModel model = model(problem);
      long target = LowerBound.of(problem) + random.nextInt(3);
      SectionSearch whole = search(model, target);
      Outcome outcome = whole.run(20_000, Long.MAX_VALUE);
      SectionSearch parts = search(model, target);
      while (parts.steps() < 20_000
          && parts.run(1 + random.nextInt(5), Long.MAX_VALUE) == Outcome.RUNNING) {
        assertThat(parts.nodes()).isAtMost(whole.nodes() + 50);
      }
      if (outcome != Outcome.RUNNING) {
        assertThat(parts.run(0, Long.MAX_VALUE)).isEqualTo(outcome);
        assertThat(parts.nodes()).isEqualTo(whole.nodes());
      }
      if (outcome == Outcome.FOUND) {
        assertThat(offsets(model, parts)).isEqualTo(offsets(model, whole));
      }
    }
  }

  @Test
  void twins_areTriedInOneOrder() {
    // Twelve equal buffers that do not fit: 12! orders, of which one is tried.
    String[] buffers = new String[12];
    for (int i = 0; i < 12; i++) {
      buffers[i] = "3 0-4";
    }
    SectionSearch search = search(model(problem(1, buffers)), 35);
    assertThat(search.run(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Outcome.EXHAUSTED);
    assertThat(search.nodes()).isAtMost(12);
  }

  @Test
  void luby_isTheSequence() {
    long[] first = new long[15];
    for (int n = 1; n <= 15; n++) {
      first[n - 1] = SectionStrategy.luby(n);
    }
    assertThat(first).isEqualTo(new long[] {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8});
  }
}
