package dev.sublet.offset.order;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Plans of exclusive branches for executors that run operators in any order that keeps the data
 * dependences. {@link ParallelExecution} runs {@link BranchPrograms} in the plan's arena. The
 * operators of a branch mix with all operators that need not wait for its control operator.
 */
final class ParallelBranchesTest {

  private static TranspileOptions options(ExecutionOrder order) {
    return TranspileOptions.defaults()
        .withOffsets(
            new OffsetOptions("greedy-size", 16, /* inPlace= */ true, Views.NONE).withOrder(order));
  }

  private static String firstFailure(Program program, MemoryPlan plan, Random random, int runs) {
    for (int i = 0; i < runs; i++) {
      String failure = new ParallelExecution(program, plan, random).run();
      if (!failure.isEmpty()) {
        return failure;
      }
    }
    return "";
  }

  /** As many bytes as for one operator at a time. */
  @Test
  void caseOf_takesNoMoreBytesInParallel() throws IOException {
    Program program =
        ProgramText.parse(Files.readString(Path.of("testdata", "nested", "case_of.program")));
    assertThat(Transpiler.plan(program, options(ExecutionOrder.SEQUENTIAL)).plan().arenaBytes())
        .isEqualTo(192);
    assertThat(Transpiler.plan(program, options(ExecutionOrder.PARALLEL)).plan().arenaBytes())
        .isEqualTo(192);
  }

  @Test
  void plans_giveEachOrderItsValues_andBranchesShare() {
    int smaller = 0;
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      Program program = BranchPrograms.generate(random);
      MemoryPlan plan = Transpiler.plan(program, options(ExecutionOrder.PARALLEL)).plan();
      assertWithMessage("seed %s\n%s%s", seed, ProgramText.print(program), plan)
          .that(firstFailure(program, plan, random, 12))
          .isEmpty();
      smaller += sharesBetweenBranches(program, plan) ? 1 : 0;
    }
    assertThat(smaller).isAtLeast(50);
  }

  /** Whether locals of two opposite branches have bytes in common. */
  private static boolean sharesBetweenBranches(Program program, MemoryPlan plan) {
    ImmutableList<Allocation> all = plan.allocations();
    for (Allocation a : all) {
      for (Allocation b : all) {
        int blockA = a.variable().block();
        int blockB = b.variable().block();
        if (blockA != blockB
            && blockA > 0
            && blockB > 0
            && program.block(blockA).parent() == program.block(blockB).parent()
            && a.offset() == b.offset()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whatever the validator lets pass is right in any order, however it was made. */
  @Test
  void validator_acceptsNoWrongPlan() {
    int accepted = 0;
    int wrong = 0;
    int programs = LongForm.tries(/* usual= */ 200, /* all= */ 600);
    for (int seed = 0; seed < programs; seed++) {
      Random random = new Random(seed);
      Program program = BranchPrograms.generate(random);
      boolean isSequential = seed % 2 == 0;
      ExecutionOrder order = isSequential ? ExecutionOrder.SEQUENTIAL : ExecutionOrder.PARALLEL;
      MemoryPlan plan = Transpiler.plan(program, options(order)).plan();
      MemoryPlan changed = asParallel(plan, isSequential ? -1 : random.nextInt(100), random);
      boolean isValid =
          Verifier.verifyPlan(program, changed, options(ExecutionOrder.PARALLEL)).isValid();
      String failure = firstFailure(program, changed, random, isValid ? 12 : 4);
      wrong += failure.isEmpty() ? 0 : 1;
      accepted += isValid ? 1 : 0;
      if (isValid) {
        assertWithMessage("seed %s\n%s%s", seed, ProgramText.print(program), changed)
            .that(failure)
            .isEmpty();
      }
    }
    assertThat(accepted).isAtLeast(programs / 10);
    assertThat(wrong).isAtLeast(programs / 10);
  }

  /** The plan as one for the parallel order; with one allocation moved if an index is given. */
  private static MemoryPlan asParallel(MemoryPlan plan, int index, Random random) {
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    if (index >= 0) {
      int moved = index % allocations.size();
      Allocation victim = allocations.get(moved);
      long offset = allocations.get(random.nextInt(allocations.size())).offset();
      allocations.set(
          moved,
          new Allocation(victim.variable(), victim.arena(), offset, victim.bytes(), victim.live()));
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        ExecutionOrder.PARALLEL,
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases());
  }
}
