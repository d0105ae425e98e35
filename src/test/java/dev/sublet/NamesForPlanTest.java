package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.Goal;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.LoopRuns;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program that is rewritten for its plan copies no more in its loops, and has no larger arena,
 * than the original under its own plan. The copied bytes are those of a run.
 */
final class NamesForPlanTest {

  private static final int SEEDS = 12;

  private static TranspileOptions with(Goal goal, TranspileOptions options) {
    return options.withSharing(SharingOptions.defaults().withGoal(goal));
  }

  /** Each loop of these programs runs seven times; their feeds may be overwritten. */
  @ParameterizedTest
  @CsvSource({
    // program, copied under the plan of the original, and after a rewriting for names
    "follower_and_chain, 0, 7168",
    "swap_and_chain, 0, 21504",
    "nested_with_views, 7168, 129024",
  })
  void rewritingForThePlan_copiesNoMore(String name, long copied, long copiedForNames)
      throws IOException {
    Program program =
        ProgramText.parse(Files.readString(Path.of("testdata/names_for_plan", name + ".program")));
    TranspileOptions options =
        TranspileOptions.defaults()
            .withObservation(
                new ObservationOptions(
                    ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));
    ImmutableMap<String, LodTensor> feeds =
        ImmutableMap.of("f", LodTensor.of(Tensor.of(ImmutableLongArray.of(256), new float[256])));

    PlanResult planned = Transpiler.plan(program, options);
    TranspileResult forNames = Transpiler.transpile(program, with(Goal.NAMES, options));
    TranspileResult forPlan = Transpiler.transpile(program, with(Goal.PLAN, options));

    assertThat(copied(program, planned.plan(), feeds)).isEqualTo(copied);
    assertThat(copied(forNames.program(), forNames.plan(), feeds)).isEqualTo(copiedForNames);
    assertThat(copied(forPlan.program(), forPlan.plan(), feeds)).isAtMost(copied);
    assertThat(forPlan.plan().arenaBytes()).isAtMost(planned.plan().arenaBytes());
    assertThat(forPlan.diagnostics().toString()).contains("names are shared for the plan");
  }

  private static long copied(
      Program program, MemoryPlan plan, ImmutableMap<String, LodTensor> feeds) {
    return Executor.run(program, feeds, ImmutableMap.of(), ExecutionOptions.defaults().in(plan))
        .bytesCopiedInLoops();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flat", "nested", "cases", "other values", "two"})
  void randomLoops_areNoWorseThanPlanned(String kind) {
    int shared = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      String text = generate(kind, seed);
      Program program = ProgramText.parse(text);
      PlanResult planned = Transpiler.plan(program, LoopRuns.OPTIONS);
      TranspileResult rewritten = Transpiler.transpile(program, with(Goal.PLAN, LoopRuns.OPTIONS));
      Fallbacks.assertNone(rewritten.diagnostics(), text);
      ExecutionOptions plain = ExecutionOptions.defaults();
      for (long n = 0; n <= LoopRuns.MOST_TRIPS; n++) {
        ExecutionResult expected = LoopRuns.run(program, n, 2, plain.in(planned.plan()));
        ExecutionResult actual =
            LoopRuns.run(rewritten.program(), n, 2, plain.in(rewritten.plan()));
        assertWithMessage("n = %s:\n%s", n, text)
            .that(LoopRuns.tensors(actual))
            .isEqualTo(LoopRuns.tensors(expected));
        assertWithMessage("n = %s:\n%s", n, text)
            .that(actual.bytesCopiedInLoops())
            .isAtMost(expected.bytesCopiedInLoops());
      }
      assertWithMessage(text)
          .that(rewritten.plan().arenaBytes())
          .isAtMost(planned.plan().arenaBytes());
      shared += rewritten.sharing().renamings().isEmpty() ? 0 : 1;
    }
    assertThat(shared).isAtLeast(SEEDS / 4);
  }

  private static String generate(String kind, int seed) {
    return switch (kind) {
      case "flat" -> RandomLoops.generate(seed, /* nested= */ false);
      case "nested" -> RandomLoops.generate(seed, /* nested= */ true);
      case "cases" -> RandomLoops.generateWithCases(seed, /* nested= */ false);
      case "other values" -> RandomLoops.generateWithOtherValues(seed, /* nested= */ false);
      default -> RandomLoops.generateTwoLoops(seed);
    };
  }

  /** Without loops there is nothing that a plan could lose. */
  @Test
  void programWithoutLoops_isRewrittenAsForNames() {
    Program program =
        ProgramText.parse(
            """
            version 2003002
            block 0
              feed x: fp32[4]
              a = relu(x)
              b = scale(a)
              c = relu(b)
              fetch(c)
            """);
    assertThat(rewritten(program, Goal.PLAN)).isEqualTo(rewritten(program, Goal.NAMES));
  }

  private static String rewritten(Program program, Goal goal) {
    return ProgramText.print(Transpiler.transpile(program, with(goal, LoopRuns.OPTIONS)).program());
  }
}
