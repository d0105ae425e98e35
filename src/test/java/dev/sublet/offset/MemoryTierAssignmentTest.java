package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.ProblemText.problem;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import dev.sublet.plan.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which buffers go to which memory. */
final class MemoryTierAssignmentTest {

  private static final Pool DRAM = new Pool("dram", Pool.UNLIMITED);

  private final DiagnosticLog log = new DiagnosticLog();

  private static PlanningProblem part(PlanningProblem problem, int[] buffers) {
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    for (int buffer : buffers) {
      problem.copyTo(builder, buffer);
    }
    return builder.build();
  }

  private MemoryTierAssignment assign(PlanningProblem problem, long[] traffic, Pool... pools) {
    KnapsackFill.Placer placer =
        buffers ->
            GreedyPlanners.GREEDY_SIZE.place(
                part(problem, buffers), PlannerOptions.defaults(), log);
    return MemoryTierAssignment.assign(
        problem,
        traffic,
        ImmutableList.copyOf(pools),
        new MemoryTierAssignment.Filling(/* withGaps= */ true, placer, placer),
        log);
  }

  private static String pools(MemoryTierAssignment assignment, int count) {
    StringBuilder text = new StringBuilder();
    for (int buffer = 0; buffer < count; buffer++) {
      text.append(assignment.pool(buffer));
    }
    return text.toString();
  }

  @Test
  void theBusiestForItsRoom_isInTheFastMemory() {
    // The first one is read most, but takes the room for as long as all others together.
    PlanningProblem problem = problem(1, "64 0-12", "64 0-4", "64 4-8", "64 8-12");
    long[] traffic = {600, 300, 300, 300};
    MemoryTierAssignment assignment = assign(problem, traffic, new Pool("sram", 64), DRAM);
    assertThat(pools(assignment, 4)).isEqualTo("1000");
    assertThat(MemoryTierAssignment.sumByPool(assignment, traffic))
        .isEqualTo(new long[] {900, 600});
  }

  @Test
  void aSmallOne_takesTheRoomThatALargeOneCannot() {
    PlanningProblem problem = problem(1, "60 0-4", "80 0-4", "40 0-4");
    MemoryTierAssignment assignment =
        assign(problem, new long[] {600, 400, 100}, new Pool("sram", 100), DRAM);
    assertThat(pools(assignment, 3)).isEqualTo("010");
    assertThat(assignment.bytes(0)).isEqualTo(100);
    assertThat(assignment.bytes(1)).isEqualTo(80);
  }

  @Test
  void threeMemories_areFilledInOrder() {
    PlanningProblem problem = problem(1, "10 0-4", "10 0-4", "10 0-4", "10 0-4");
    MemoryTierAssignment assignment =
        assign(problem, new long[] {1, 4, 2, 3}, new Pool("a", 10), new Pool("b", 20), DRAM);
    assertThat(pools(assignment, 4)).isEqualTo("2011");
  }

  @Test
  void aPin_isInOneMemoryThatItsBytesAreIn() {
    PlanningProblem problem = problem(1, "10 pin=0 0-4", "10 pin=95 0-4", "10 0-4");
    MemoryTierAssignment assignment =
        assign(problem, new long[] {0, 9, 9}, new Pool("sram", 20), DRAM);
    assertThat(pools(assignment, 3)).isEqualTo("010");
    assertThat(assignment.offset(0)).isEqualTo(0);
    assertThat(assignment.offset(1)).isEqualTo(95);
  }

  @Test
  void memoriesAreFilledFromTheLast_whereTheFirstWayDoesNotFit() {
    // The busiest first leaves 30 for the last memory, which has 20.
    PlanningProblem problem = problem(1, "20 0-4", "30 0-4");
    Pool[] memories = {new Pool("sram", 30), new Pool("dram", 20)};
    MemoryTierAssignment assignment = assign(problem, new long[] {20, 20}, memories);
    assertThat(pools(assignment, 2)).isEqualTo("10");
    assertThat(log.diagnostics()).hasSize(1);
  }

  @Test
  void whatFitsNowhere_isLeftToTheLast() {
    PlanningProblem problem = problem(1, "20 0-4", "30 0-4", "30 0-4");
    MemoryTierAssignment assignment =
        assign(problem, new long[] {20, 20, 20}, new Pool("sram", 30), new Pool("dram", 20));
    assertThat(assignment.bytes(0)).isAtMost(30);
    assertThat(assignment.bytes(1)).isGreaterThan(20);
  }

  /** Gaps, windows, alignments and pins; every arena is valid and within its memory. */
  @Test
  void randomProblems_areValid_andWithinTheirMemories() {
    for (int seed = 0; seed < 600; seed++) {
      Random random = new Random(seed);
      RandomProblems.Kind kind =
          seed % 3 == 0 ? RandomProblems.Kind.PLAIN : RandomProblems.Kind.FULL;
      PlanningProblem problem =
          RandomProblems.generate(random, 1 + random.nextInt(40), 30, 30, kind);
      long[] traffic = new long[problem.bufferCount()];
      for (int buffer = 0; buffer < traffic.length; buffer++) {
        traffic[buffer] = problem.size(buffer) * random.nextInt(5);
      }
      Pool[] memories = {
        new Pool("a", 1 + random.nextInt(120)), new Pool("b", 1 + random.nextInt(120)), DRAM
      };
      MemoryTierAssignment assignment = assign(problem, traffic, memories);
      for (int pool = 0; pool < memories.length; pool++) {
        assertValid(problem, assignment, pool, memories[pool].capacity());
      }
    }
  }

  /** No fast memory serves more: the best of all subsets whose lower bound fits. */
  private static long mostPossible(PlanningProblem problem, long[] traffic, long capacity) {
    long best = 0;
    for (int subset = 0; subset < 1 << traffic.length; subset++) {
      List<Integer> members = new ArrayList<>();
      long sum = 0;
      for (int buffer = 0; buffer < traffic.length; buffer++) {
        if ((subset >> buffer & 1) != 0) {
          members.add(buffer);
          sum += traffic[buffer];
        }
      }
      PlanningProblem part = part(problem, Ints.toArray(members));
      if (sum > best && LowerBound.of(part) <= capacity) {
        best = sum;
      }
    }
    return best;
  }

  @Test
  void randomProblems_areServedNearlyAsWellAsTheyCanBe() {
    long served = 0;
    long possible = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(random, 10, 20, 30, RandomProblems.Kind.PLAIN);
      long[] traffic = new long[10];
      for (int buffer = 0; buffer < traffic.length; buffer++) {
        traffic[buffer] = problem.size(buffer) * (1 + random.nextInt(4));
      }
      long capacity = random.nextInt(20, 70);
      MemoryTierAssignment assignment = assign(problem, traffic, new Pool("sram", capacity), DRAM);
      served += MemoryTierAssignment.sumByPool(assignment, traffic)[0];
      possible += mostPossible(problem, traffic, capacity);
    }
    assertThat(served).isAtMost(possible);
    assertThat((double) served / possible).isAtLeast(0.95);
  }

  private static void assertValid(
      PlanningProblem problem, MemoryTierAssignment assignment, int pool, long capacity) {
    List<Integer> members = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      if (assignment.pool(buffer) == pool) {
        members.add(buffer);
        offsets.add(assignment.offset(buffer));
      }
    }
    PlanningProblem part = part(problem, Ints.toArray(members));
    PlacementCheck.assertValid(part, Longs.toArray(offsets));
    assertThat(PlacementCheck.arena(part, Longs.toArray(offsets)))
        .isEqualTo(assignment.bytes(pool));
    assertWithMessage(ProblemText.print(problem)).that(assignment.bytes(pool)).isAtMost(capacity);
  }
}
