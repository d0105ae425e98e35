package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;
import static dev.sublet.placement.testing.ProblemText.problem;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Placements region by region. */
final class RecursivePlacementTest {

  private static Placement place(PlanningProblem problem, RegionTree tree, int... homes) {
    return RecursivePlacement.place(
        problem,
        tree,
        homes,
        "greedy-size",
        region ->
            GreedyPlanners.GREEDY_SIZE.place(
                region, PlannerOptions.defaults(), new DiagnosticLog()));
  }

  private static RegionTree tree(int[] parents, int[] begins, int[] ends) {
    return RegionTree.of(parents, begins, ends);
  }

  @Test
  void aRegion_isOneBufferAroundIt() {
    // Together 'inner' would take the bytes of 'outer', which is dead when it is live.
    RegionTree tree = tree(new int[] {0, 0}, new int[] {0, 2}, new int[] {0, 8});
    PlanningProblem problem = problem(1, "64 0-3", "64 4-6");
    assertThat(place(problem, tree, 0, 1).offsets()).isEqualTo(offsets(0, 64));
    assertThat(place(problem, tree, 0, 0).offsets()).isEqualTo(offsets(0, 0));
  }

  @Test
  void regionsOfDifferentTimes_haveTheSameBytes() {
    RegionTree tree = tree(new int[] {0, 0, 0}, new int[] {0, 2, 8}, new int[] {0, 8, 12});
    PlanningProblem problem = problem(1, "100 3-5", "60 4-6", "80 9-10", "10 0-12");
    Placement placement = place(problem, tree, 1, 1, 2, 0);
    assertThat(placement.offsets()).isEqualTo(offsets(0, 100, 0, 160));
    assertThat(placement.arenaBytes()).isEqualTo(170);
  }

  @Test
  void innerAlignments_holdInTheWhole() {
    RegionTree tree = tree(new int[] {0, 0, 1}, new int[] {0, 2, 3}, new int[] {0, 9, 8});
    PlanningProblem problem = problem(1, "100 0-9", "7 4-5", "8 align=8 4-6", "6 align=12 2-9");
    Placement placement = place(problem, tree, 0, 2, 2, 1);
    assertValid(problem, placement);
    // 15 bytes at 0 and 6 at 24 make 30, which lie at a multiple of 24.
    assertThat(placement.arenaBytes()).isEqualTo(150);
  }

  private static ImmutableLongArray offsets(long... offsets) {
    return ImmutableLongArray.copyOf(offsets);
  }

  /** Gaps, windows, alignments and pins, in trees that the buffers know nothing of. */
  @Test
  void randomProblems_areValid_andHomesHoldTheirBuffers() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      RandomProblems.Kind kind =
          seed % 4 == 0 ? RandomProblems.Kind.PLAIN : RandomProblems.Kind.FULL;
      PlanningProblem problem =
          RandomProblems.generate(random, 1 + random.nextInt(25), 40, 30, kind);
      RegionTree tree = randomTree(random, 40);
      int[] homes = new int[problem.bufferCount()];
      for (int buffer = 0; buffer < homes.length; buffer++) {
        homes[buffer] =
            tree.around(
                random.nextInt(tree.count()),
                problem.firstPoint(buffer),
                problem.lastPoint(buffer));
      }
      assertValid(problem, place(problem, tree, homes));
    }
  }

  /** Regions that halve those around them. */
  private static RegionTree randomTree(Random random, int points) {
    int count = 1 + random.nextInt(7);
    int[] parents = new int[count];
    int[] begins = new int[count];
    int[] ends = new int[count];
    ends[0] = points;
    int[] free = new int[count];
    for (int region = 1; region < count; region++) {
      int parent = random.nextInt(region);
      int begin = begins[parent] + free[parent];
      int end = begin + Math.max(1, (ends[parent] - begin) / (1 + random.nextInt(3)));
      parents[region] = begin < ends[parent] ? parent : 0;
      begins[region] = begin < ends[parent] ? begin : points + region;
      ends[region] = begin < ends[parent] ? end : points + region + 1;
      free[parent] = Math.max(free[parent], end - begins[parent]);
    }
    return RegionTree.of(parents, begins, ends);
  }
}
