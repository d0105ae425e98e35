package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.RunComparison.RunInputs;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random programs of real operators on real tensors: original, rewritten and planned ones give
 * equal bits, and plans that the validator accepts do, whoever made them.
 */
final class ExecutionPropertyTest {

  /** More than any of the programs takes; a loop whose condition was overwritten may never end. */
  private static final long DAMAGED_STEPS = 100_000;

  private static final PlannerOptions FEW_NODES =
      new PlannerOptions(/* nodes= */ 200, /* timeoutMillis= */ 0, BufferOrder.SIZE);

  private static TranspileOptions options(int round) {
    SharingOptions.Policy[] policies = SharingOptions.Policy.values();
    SharingOptions.Level[] levels = SharingOptions.Level.values();
    Views[] views = Views.values();
    OffsetOptions offsets =
        new OffsetOptions(
                OffsetOptions.defaults().planner(),
                ImmutableList.of(1L, 4L, 32L, 64L).get(round % 4),
                /* inPlace= */ round % 5 != 0,
                views[round % views.length])
            .withSearch(FEW_NODES);
    return TranspileOptions.defaults()
        .withOffsets(offsets)
        .withSharing(
            new SharingOptions(
                policies[round % policies.length],
                levels[round % levels.length],
                /* inPlace= */ round % 5 != 0));
  }

  private static RunInputs inputs(Program program) {
    return new RunInputs(
        ImmutableMap.of(
            "x", feed("x", ImmutableLongArray.of(4, 4)), "y", feed("y", ImmutableLongArray.of(16))),
        RandomTensors.parameters(program));
  }

  private static LodTensor feed(String name, ImmutableLongArray shape) {
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }

  @Test
  void originalRewrittenAndPlannedPrograms_giveEqualBits() {
    int operators = 0;
    for (int round = 0; round < 80; round++) {
      Program program = ExecutablePrograms.generate(round, 5 + round % 40);
      RunInputs inputs = inputs(program);
      TranspileResult transpiled = Transpiler.transpile(program, options(round));
      Fallbacks.assertNone(transpiled.diagnostics(), "round " + round);
      RunComparison comparison =
          RunComparison.run(transpiled, inputs, ExecutionOptions.defaults(), step -> {});
      assertEqual(comparison, "round " + round + "\n" + ProgramText.print(program));
      MemoryPlan direct = Transpiler.plan(program, options(round)).plan();
      assertEqual(
          RunComparison.run(program, direct, inputs, ExecutionOptions.defaults(), step -> {}),
          "round " + round + ", planned as it is\n" + ProgramText.print(program));
      operators += (int) comparison.original().operators();
    }
    assertThat(operators).isGreaterThan(2000);
  }

  /** The names of tensors of two shapes; see the file. */
  @Test
  void reshapeOfANameOfTwoShapes_isNoUnneededCopy() throws IOException {
    Program program =
        ProgramText.parse(
            Files.readString(
                Path.of("testdata", "pinned", "reshape_of_a_name_of_two_shapes.program")));
    TranspileResult transpiled = Transpiler.transpile(program, TranspileOptions.defaults());
    assertEqual(
        RunComparison.run(transpiled, inputs(program), ExecutionOptions.defaults(), step -> {}),
        "a plan lets a reshape be skipped that changes the shape");
  }

  private static void assertEqual(RunComparison comparison, String message) {
    for (RunComparison.Form form : comparison.forms()) {
      assertWithMessage("%s: %s\n%s", form.name(), form.error(), message)
          .that(comparison.isEqual(form))
          .isTrue();
    }
    for (ExecutionResult.Output output : comparison.original().outputs()) {
      for (float value : output.tensor().tensor().floats()) {
        assertWithMessage(message).that(Float.isFinite(value)).isTrue();
      }
    }
  }

  /**
   * Moves one allocation: what the validator then accepts must be harmless. What it rejects is
   * often harmless too, in one run: a value that is damaged may not matter to the four results, and
   * a branch may not run. But a third is noticed.
   */
  @Test
  void movedAllocations_thatTheValidatorAccepts_areHarmless() {
    SplittableRandom random = new SplittableRandom(1);
    int accepted = 0;
    int rejected = 0;
    int noticed = 0;
    for (int round = 0; round < 24; round++) {
      Program program = ExecutablePrograms.generate(1000 + round, 10 + round % 20);
      MemoryPlan plan = Transpiler.plan(program, options(round)).plan();
      for (int i = 0; i < 6 && !plan.allocations().isEmpty(); i++) {
        MemoryPlan moved = moved(plan, random);
        boolean valid = Verifier.verifyPlan(program, moved, options(round)).isValid();
        RunComparison comparison =
            RunComparison.run(
                program,
                moved,
                inputs(program),
                ExecutionOptions.defaults().withMaxSteps(DAMAGED_STEPS),
                step -> {});
        if (valid) {
          accepted++;
          assertEqual(comparison, "round " + round + ", moved " + i);
        } else {
          rejected++;
          noticed += comparison.isEqual() ? 0 : 1;
        }
      }
    }
    assertWithMessage("accepted").that(accepted).isAtLeast(10);
    assertWithMessage("rejected").that(rejected).isAtLeast(50);
    assertWithMessage("noticed, of %s", rejected).that(noticed).isAtLeast(rejected / 4);
  }

  private static MemoryPlan moved(MemoryPlan plan, SplittableRandom random) {
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    int index = random.nextInt(allocations.size());
    Allocation old = allocations.get(index);
    long room = plan.arenas().get(old.arena()).bytes() - old.bytes();
    long alignment = plan.arenas().get(old.arena()).alignment();
    long offset = random.nextLong(room / alignment + 1) * alignment;
    allocations.set(
        index, new Allocation(old.variable(), old.arena(), offset, old.bytes(), old.live()));
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases());
  }
}
