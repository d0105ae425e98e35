package dev.sublet.placement.problem;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.RandomProblems;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That an arena does not depend on the order in which buffers are written down. */
final class CanonicalOrderTest {

  private static final PlannerOptions FEW_NODES =
      new PlannerOptions(/* nodes= */ 2000, /* timeoutMillis= */ 0, BufferOrder.SIZE);

  @Test
  void shuffledBuffers_getTheSameArena_fromEveryPlanner() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(
              random, 30, 20, 9, new RandomProblems.Kind(true, false, true, false));
      PlanningProblem shuffled = shuffled(random, problem);
      for (String planner : Planners.names()) {
        Placement first = place(planner, problem);
        Placement second = place(planner, shuffled);
        String text = "seed " + seed + ", " + planner;
        PlacementCheck.assertValid(shuffled, second.offsets().toArray());
        assertWithMessage(text).that(second.arenaBytes()).isEqualTo(first.arenaBytes());
        assertWithMessage(text).that(second.nodes()).isEqualTo(first.nodes());
        assertWithMessage(text)
            .that(Placement.arenaBytes(shuffled, second.offsets().toArray()))
            .isEqualTo(second.arenaBytes());
      }
    }
  }

  private static Placement place(String planner, PlanningProblem problem) {
    CanonicalOrder canonical = CanonicalOrder.of(problem);
    return canonical.restore(
        Planners.of(planner).place(canonical.sorted(), FEW_NODES, new DiagnosticLog()));
  }

  private static PlanningProblem shuffled(Random random, PlanningProblem problem) {
    List<Integer> order = new ArrayList<>();
    for (int b = 0; b < problem.bufferCount(); b++) {
      order.add(b);
    }
    Collections.shuffle(order, random);
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    for (int b : order) {
      problem.copyTo(builder, b);
    }
    return builder.build();
  }

  @Test
  void sortedProblem_isTheSame_whateverTheOrder() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem = RandomProblems.generate(random, 12, 6, 3, RandomProblems.Kind.FULL);
      PlanningProblem sorted = CanonicalOrder.of(problem).sorted();
      assertThat(CanonicalOrder.of(shuffled(random, problem)).sorted().hasSameBuffers(sorted))
          .isTrue();
    }
  }
}
