package dev.sublet.loop.unroll;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.loop.LoopMode;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.LoopRuns;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random loops that hand values on have equal bits in all forms, however often they iterate. A few
 * fixed seeds; the fuzzer makes as many as one likes.
 */
final class RandomLoopsTest {

  private static final int SEEDS = LongForm.tries(/* usual= */ 8, /* all= */ 20);

  private static final ImmutableList<LoopMode> MODES = ImmutableList.copyOf(LoopMode.values());

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allForms_haveEqualBits(boolean nested) {
    long copied = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      String text = RandomLoops.generate(seed, nested);
      for (LoopMode mode : MODES) {
        copied += assertEqualBits(ProgramText.parse(text), mode, nested, text);
      }
    }
    assertThat(copied).isGreaterThan(0);
  }

  /** Choices between branches, one inside the other, in all forms, and planned block by block. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void loopsWithCases_haveEqualBits(boolean nested) {
    int moved = 0;
    for (int seed = 0; seed < SEEDS / 2; seed++) {
      String text = RandomLoops.generateWithCases(seed, nested);
      Program program = ProgramText.parse(text);
      for (LoopMode mode : MODES) {
        assertEqualBits(program, mode, nested, text);
      }
      PlanResult blockByBlock =
          Transpiler.plan(
              program,
              LoopRuns.OPTIONS.withOffsets(LoopRuns.OPTIONS.offsets().withHierarchical(true)));
      Fallbacks.assertNone(blockByBlock.diagnostics(), text);
      moved += blockByBlock.plan().copies().isEmpty() ? 0 : 1;
      assertPlanHasEqualBits(program, blockByBlock, nested, text);
    }
    assertThat(moved).isAtLeast(SEEDS / 4);
  }

  /** Values handed on by reshapes to the shape that they have; every other copy is one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reshapesThatCopy_haveEqualBits(boolean nested) {
    int moved = 0;
    for (int seed = 2000; seed < 2000 + SEEDS; seed++) {
      String text =
          RandomLoops.generate(seed, nested)
              .replaceAll("(\\w*[13579]) = assign\\((\\w+)\\)", "$1 = reshape2($2) {shape: [-1]}");
      Program program = ProgramText.parse(text);
      assertEqualBits(program, LoopMode.MULTIVIEW, nested, text);
      for (UnneededCopy copy : Transpiler.plan(program, LoopRuns.OPTIONS).plan().copies()) {
        Operation operation = program.block(copy.block()).operations().get(copy.operator());
        moved += operation.type().equals("reshape2") ? 1 : 0;
      }
    }
    assertThat(moved).isAtLeast(SEEDS);
  }

  /** Variables that hold something else in the meantime. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void loopsThatWriteTwice_haveEqualBits(boolean nested) {
    int moved = 0;
    for (int seed = 0; seed < 2 * SEEDS; seed++) {
      String text = RandomLoops.generateWithOtherValues(seed, nested);
      Program program = ProgramText.parse(text);
      assertEqualBits(program, LoopMode.MULTIVIEW, nested, text);
      MemoryPlan plan = Transpiler.plan(program, LoopRuns.OPTIONS).plan();
      for (UnneededCopy copy : plan.copies()) {
        moved += countWrites(program, copy) > 1 ? 1 : 0;
      }
    }
    assertThat(moved).isAtLeast(SEEDS / 4);
  }

  /** How many operators of a copy's block write what it writes. */
  private static int countWrites(Program program, UnneededCopy copy) {
    int writes = 0;
    for (Operation operation : program.block(copy.block()).operations()) {
      for (int i = 0; i < operation.outputCount(); i++) {
        int output = operation.output(i);
        writes += program.variable(output).id().equals(copy.to()) ? 1 : 0;
      }
    }
    return writes;
  }

  /** Loops that carry the same variables, one after the other. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void loopsInARow_haveEqualBits(int loops) {
    int moved = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      String text =
          loops == 2 ? RandomLoops.generateTwoLoops(seed) : RandomLoops.generateThreeLoops(seed);
      Program program = ProgramText.parse(text);
      for (LoopMode mode : MODES) {
        assertEqualBits(program, mode, /* nested= */ true, text);
      }
      PlanResult planned = Transpiler.plan(program, LoopRuns.OPTIONS);
      Fallbacks.assertNone(planned.diagnostics(), text);
      moved += planned.plan().copies().size();
    }
    assertThat(moved).isAtLeast(SEEDS);
  }

  /**
   * Seeds whose loops get into each other's way: names of one, locations of the other; outputs in
   * place of inputs after some numbers of iterations only; values that two variables share.
   */
  private static final ImmutableIntArray HARD_TWO =
      ImmutableIntArray.of(
          8, 39, 53, 150, 171, 204, 209, 215, 227, 254, 259, 265, 267, 275, 551, 1017, 1452);

  @Test
  void twoLoops_areProved() {
    for (int seed : HARD_TWO.asList()) {
      String text = RandomLoops.generateTwoLoops(seed);
      Program program = ProgramText.parse(text);
      Fallbacks.assertNone(Transpiler.plan(program, LoopRuns.OPTIONS).diagnostics(), text);
      for (LoopMode mode : List.of(LoopMode.MULTIVIEW, LoopMode.UNROLL)) {
        Fallbacks.assertNone(
            Transpiler.transpile(program, LoopRuns.OPTIONS.withLoops(mode)).diagnostics(), text);
      }
    }
  }

  private static void assertPlanHasEqualBits(
      Program program, PlanResult planned, boolean nested, String text) {
    ExecutionOptions plain = ExecutionOptions.defaults();
    for (long n = 0; n <= LoopRuns.MOST_TRIPS; n++) {
      for (long m = 0; m <= (nested ? 3 : 0); m++) {
        assertWithMessage("n = %s, m = %s:\n%s", n, m, text)
            .that(LoopRuns.tensors(LoopRuns.run(program, n, m, plain.in(planned.plan()))))
            .isEqualTo(LoopRuns.tensors(LoopRuns.run(program, n, m, plain)));
      }
    }
  }

  /** Seeds whose plans read, in one iteration, from where another one has left a value. */
  private static final ImmutableIntArray HARD_FLAT =
      ImmutableIntArray.of(38, 68, 192, 270, 431, 480);

  private static final ImmutableIntArray HARD_NESTED =
      ImmutableIntArray.of(18, 55, 88, 100, 185, 321, 350, 383, 441);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void plansThatMove_areProved(boolean nested) {
    for (int seed : (nested ? HARD_NESTED : HARD_FLAT).asList()) {
      String text = RandomLoops.generate(seed, nested);
      Program program = ProgramText.parse(text);
      PlanResult result = Transpiler.plan(program, LoopRuns.OPTIONS);
      assertWithMessage(text).that(result.plan().copies()).isNotEmpty();
      assertEqualBits(program, LoopMode.MULTIVIEW, nested, text);
    }
    for (int seed = 1000; seed < 1000 + SEEDS; seed++) {
      String text = RandomLoops.generate(seed, nested);
      Program program = ProgramText.parse(text);
      Fallbacks.assertNone(Transpiler.transpile(program, LoopRuns.OPTIONS).diagnostics(), text);
    }
  }

  /** How many bytes the program as it is copies in its loops. */
  private static long assertEqualBits(Program program, LoopMode mode, boolean nested, String text) {
    TranspileOptions options = LoopRuns.OPTIONS.withLoops(mode);
    TranspileResult result = Transpiler.transpile(program, options);
    ExecutionOptions plain = ExecutionOptions.defaults();
    PlanResult planned = Transpiler.plan(program, options);
    Fallbacks.assertNone(planned.diagnostics(), text);
    if (mode == LoopMode.SMALLEST) {
      PlanResult copying = Transpiler.plan(program, options.withLoops(LoopMode.COPY));
      assertThat(planned.plan().arenaBytes()).isAtMost(copying.plan().arenaBytes());
    }
    Fallbacks.assertNone(result.diagnostics(), text);
    ExecutionOptions moved = plain.in(planned.plan());
    ExecutionOptions placed = plain.in(result.plan());
    long copied = 0;
    for (long n = 0; n <= LoopRuns.MOST_TRIPS; n++) {
      for (long m = 0; m <= (nested ? 3 : 0); m++) {
        ExecutionResult expected = LoopRuns.run(program, n, m, plain);
        copied += expected.bytesCopiedInLoops();
        ExecutionResult inPlan = LoopRuns.run(program, n, m, moved);
        assertWithMessage("%s, n = %s, m = %s:\n%s", mode, n, m, text)
            .that(
                List.of(
                    LoopRuns.tensors(inPlan),
                    LoopRuns.tensors(LoopRuns.run(result.program(), n, m, plain)),
                    LoopRuns.tensors(LoopRuns.run(result.program(), n, m, placed))))
            .isEqualTo(
                List.of(
                    LoopRuns.tensors(expected),
                    LoopRuns.tensors(expected),
                    LoopRuns.tensors(expected)));
        assertThat(inPlan.bytesCopiedInLoops()).isAtMost(expected.bytesCopiedInLoops());
      }
    }
    return copied;
  }
}
