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
import dev.sublet.testing.LongForm;
import dev.sublet.testing.LoopRuns;
import dev.sublet.testing.random.ExecutablePrograms;
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

  private static final int SEEDS = LongForm.tries(/* usual= */ 5, /* all= */ 12);

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

  /**
   * The first branch of {@code c} and both branches inside the second one run by turns, so their
   * values share bytes. With the name of z, the first result would live longer.
   */
  private static final String BRANCHES =
      """
      version 2003002
      default fp32[1024]
      block 0
        feed x: fp32[1024]
        var c: bool[1] persistable
        var k: bool[1] persistable
        var m: int32[1] persistable
        var d: bool[1] persistable
        var l: bool[1] persistable
        var n: int32[1] persistable
        var s1: step_scopes
        var s2: step_scopes
        var y0: fp32[1024]
        var y1: fp32[1024]
        c = is_empty(x)
        conditional_block(Cond: c, Input: x) -> (Out: y0, Scope: s1) {sub_block: 1, \
      is_scalar_condition: true}
        k = logical_not(c)
        conditional_block(Cond: k, Input: x) -> (Out: y1, Scope: s2) {sub_block: 2, \
      is_scalar_condition: true}
        m = cast(c) {in_dtype: 0, out_dtype: 2}
        y = select_input(X: y1 y0, Mask: m)
        z = cumsum(y) {axis: 0}
        fetch(z)
      block 1 parent 0
        a = cumsum(x) {axis: 0}
        b = cumsum(a) {axis: 0}
        y0 = elementwise_add(a, b)
      block 2 parent 0
        var s3: step_scopes
        var s4: step_scopes
        var w0: fp32[1024]
        var w1: fp32[1024]
        d = is_empty(x)
        conditional_block(Cond: d, Input: x) -> (Out: w0, Scope: s3) {sub_block: 3, \
      is_scalar_condition: true}
        l = logical_not(d)
        conditional_block(Cond: l, Input: x) -> (Out: w1, Scope: s4) {sub_block: 4, \
      is_scalar_condition: true}
        n = cast(d) {in_dtype: 0, out_dtype: 2}
        y1 = select_input(X: w1 w0, Mask: n)
      block 3 parent 2
        e = cumsum(x) {axis: 0}
        f = cumsum(e) {axis: 0}
        w0 = elementwise_add(e, f)
      block 4 parent 2
        g = cumsum(x) {axis: 0}
        h = cumsum(g) {axis: 0}
        w1 = elementwise_add(g, h)
      """;

  @Test
  void branches_areNoWorseThanPlanned() {
    Program program = ProgramText.parse(BRANCHES);
    TranspileOptions options = TranspileOptions.defaults();

    assertThat(Transpiler.plan(program, options).plan().arenaBytes()).isEqualTo(12_288);
    assertThat(arena(program, Goal.NAMES)).isEqualTo(16_384);
    assertThat(arena(program, Goal.PLAN)).isEqualTo(12_288);
  }

  private static long arena(Program program, Goal goal) {
    return Transpiler.transpile(program, with(goal, TranspileOptions.defaults()))
        .plan()
        .arenaBytes();
  }

  /** A plan copies less in loops or, on a tie, its arena is no larger. */
  @Test
  void randomPrograms_areNoWorseThanPlanned() {
    TranspileOptions options = TranspileOptions.defaults();
    for (int seed = 0; seed < 20 * SEEDS; seed++) {
      Program program = ExecutablePrograms.generate(seed, 5 + seed % 25);
      boolean hasLoops = ProgramText.print(program).contains("while(");
      long planned = Transpiler.plan(program, options).plan().arenaBytes();
      long rewritten = arena(program, Goal.PLAN);
      if (!hasLoops) {
        assertWithMessage("seed %s", seed).that(rewritten).isAtMost(planned);
      }
    }
  }

  /** Where any names are as good for the plan, they are shared as for names. */
  @Test
  void chain_isRewrittenAsForNames() {
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
