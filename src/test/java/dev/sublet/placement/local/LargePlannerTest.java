package dev.sublet.placement.local;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;
import static dev.sublet.placement.testing.ProblemText.problem;
import static java.util.Objects.requireNonNull;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.RandomProblems;
import dev.sublet.placement.testing.SyntheticProblems;
import dev.sublet.placement.testing.TrainingTraces;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That large placements stay valid, get smaller, and do not depend on the order of the rows. */
final class LargePlannerTest {

  private static final long STEPS = 100_000;

  private static Placement firstFit(PlanningProblem problem) {
    return GreedyPlanners.FIRST_FIT.place(problem, PlannerOptions.defaults(), new DiagnosticLog());
  }

  private static PlannerOptions steps(long steps) {
    return new PlannerOptions(steps, /* timeoutMillis= */ 0, BufferOrder.SIZE);
  }

  private static double quotient(Placement placement) {
    return (double) placement.arenaBytes() / placement.lowerBound();
  }

  @Test
  void anyProblem_validAndNeverWorse() {
    Random random = new Random(1);
    for (int i = 0; i < 400; i++) {
      PlanningProblem problem =
          RandomProblems.generate(random, 1 + i % 60, 30, 40, RandomProblems.Kind.PLAIN);
      Placement known = firstFit(problem);
      Placement improved = LargePlanner.improve(problem, known, steps(2000));
      assertValid(problem, improved);
      assertThat(improved.arenaBytes()).isAtMost(known.arenaBytes());
      Placement swept = LargePlanner.sweep(problem);
      if (swept != null) {
        assertValid(problem, swept);
      }
    }
  }

  @Test
  void pinsWindowsHolesAndDifferentAlignments_areLeftAlone() {
    for (PlanningProblem problem :
        List.of(
            problem(1, "2 pin=3 0-1", "6 0-1", "1 0-1"),
            problem(1, "8 0-1 3-4", "8 1-3", "3 0-4"),
            RandomProblems.generate(new Random(1), 40, 20, 9, RandomProblems.Kind.FULL))) {
      Placement known = firstFit(problem);
      assertThat(LargePlanner.canImprove(problem)).isFalse();
      assertThat(LargePlanner.improve(problem, known, steps(STEPS))).isSameInstanceAs(known);
      assertThat(LargePlanner.sweep(problem)).isNull();
    }
  }

  @Test
  void alignment_isKept_thoughSizesAreNoMultiples() {
    PlanningProblem problem = SyntheticProblems.randomDag(/* seed= */ 3, 2000);
    Placement known = firstFit(problem);
    Placement improved = LargePlanner.improve(problem, known, steps(STEPS));
    assertValid(problem, improved);
    assertThat(improved.arenaBytes()).isLessThan(known.arenaBytes());
  }

  @Test
  void perfectPackings_areSolved() {
    for (int seed = 1; seed <= 3; seed++) {
      for (SyntheticProblems.Tiling tiling :
          List.of(
              SyntheticProblems.guillotine(seed, 1000), SyntheticProblems.pinwheel(seed, 1000))) {
        Placement improved =
            LargePlanner.improve(tiling.problem(), firstFit(tiling.problem()), steps(4 * STEPS));
        assertValid(tiling.problem(), improved);
        assertWithMessage("seed %s", seed).that(quotient(improved)).isAtMost(1.001);
      }
    }
  }

  @Test
  void perfectPackings_ofWhichSizesLackAByte_areAlmostSolved() {
    for (SyntheticProblems.Tiling tiling :
        List.of(SyntheticProblems.guillotine(1, 1000), SyntheticProblems.pinwheel(1, 1000))) {
      PlanningProblem problem = withNoise(tiling.problem());
      Placement improved = LargePlanner.improve(problem, firstFit(problem), steps(4 * STEPS));
      assertValid(problem, improved);
      assertThat(quotient(improved)).isAtMost(1.01);
    }
  }

  private static PlanningProblem withNoise(PlanningProblem problem) {
    Random random = new Random(7);
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      builder.addBuffer(Math.max(1, problem.size(buffer) - random.nextInt(2)));
      builder.addInterval(problem.firstPoint(buffer), problem.lastPoint(buffer));
    }
    return builder.build();
  }

  @Test
  void trainingTraces_areSweptAlmostToTheBound() {
    for (TrainingTraces.Sizes sizes : TrainingTraces.Sizes.values()) {
      PlanningProblem regular = TrainingTraces.regular(/* seed= */ 1, 20_000, sizes);
      assertThat(quotient(requireNonNull(LargePlanner.sweep(regular)))).isAtMost(1.005);
      PlanningProblem irregular = TrainingTraces.irregular(/* seed= */ 1, 20_000, sizes);
      assertThat(quotient(requireNonNull(LargePlanner.sweep(irregular)))).isAtMost(1.01);
    }
  }

  @Test
  void shuffledRows_sameArena() {
    for (PlanningProblem problem :
        List.of(
            SyntheticProblems.randomDag(1, 1500),
            SyntheticProblems.pinwheel(1, 401).problem(),
            TrainingTraces.irregular(1, 1500, TrainingTraces.Sizes.CLASSES))) {
      long arena = sweepAndImprove(problem).arenaBytes();
      for (int seed = 0; seed < 3; seed++) {
        assertThat(sweepAndImprove(shuffled(problem, seed)).arenaBytes()).isEqualTo(arena);
      }
    }
  }

  private static Placement sweepAndImprove(PlanningProblem problem) {
    return LargePlanner.improve(
        problem, requireNonNull(LargePlanner.sweep(problem)), steps(STEPS / 4));
  }

  @Test
  void gap_endsTheImprovement_asSoonAsTheArenaIsCloseEnough() {
    PlanningProblem problem = SyntheticProblems.randomDag(/* seed= */ 3, 2000);
    Placement known = firstFit(problem);
    Placement exact = LargePlanner.improve(problem, known, steps(STEPS));
    Gap gap = new Gap(BigDecimal.valueOf(100 * (quotient(known) + quotient(exact) - 2) / 2));
    Placement close = LargePlanner.improve(problem, known, steps(STEPS).withGap(gap));
    assertValid(problem, close);
    assertThat(gap.accepts(known)).isFalse();
    assertThat(gap.accepts(close)).isTrue();
    assertThat(close.arenaBytes()).isAtLeast(exact.arenaBytes());
    assertThat(close.nodes()).isLessThan(exact.nodes());
  }

  private static PlanningProblem shuffled(PlanningProblem problem, int seed) {
    List<Integer> order = new ArrayList<>();
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      order.add(buffer);
    }
    Collections.shuffle(order, new Random(seed));
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    order.forEach(buffer -> problem.copyTo(builder, buffer));
    return builder.build();
  }

  @Test
  void sameProblemAndBudget_sameAnswer_thoughTwoThreadsWork() {
    PlanningProblem problem = SyntheticProblems.randomDag(/* seed= */ 2, 1500);
    Placement known = firstFit(problem);
    Placement first = LargePlanner.improve(problem, known, steps(STEPS / 4));
    for (int run = 0; run < 5; run++) {
      assertThat(LargePlanner.improve(problem, known, steps(STEPS / 4))).isEqualTo(first);
    }
  }
}
