package dev.sublet.paddle.order;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.ScheduledProgram;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.MadePrograms;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Goal;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs whose operators run in another order give the bits of the original in Paddle. */
final class MovedOperatorsTest {

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  private static TranspileResult schedule(Model model, Goal goal) {
    TranspileOptions options = TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    return ScheduledProgram.transpile(
        model.program(),
        options.withSharing(options.sharing().withFusion(FusionMode.OFF).withGoal(goal)),
        stage -> {});
  }

  private static boolean isMoved(TranspileResult result) {
    return result.diagnostics().toString().contains("the operators are in another order");
  }

  private static void assertEqualBits(Model model, Program rewritten) {
    ImmutableList<PaddleBatch.Result> results =
        PaddleBatch.run(model, List.of(model.program(), rewritten), Mode.PLAIN);
    assertWithMessage("%s", results.get(0).failure()).that(results.get(0).outputs()).isNotEmpty();
    assertWithMessage("%s", model).that(results.get(1).differencesFrom(results.get(0))).isEmpty();
  }

  @Test
  void searchedCells_needLess() {
    Model model = searchedCells();
    TranspileResult result = schedule(model, Goal.PLAN);
    assertThat(isMoved(result)).isTrue();
    assertEqualBits(model, result.program());
    TranspileResult names = schedule(model, Goal.NAMES);
    assertThat(isMoved(names)).isTrue();
    assertEqualBits(model, names.program());
  }

  @Test
  void madePrograms_giveEqualBits() {
    List<String> moved = new ArrayList<>();
    for (Model model : MadePrograms.all()) {
      TranspileResult result = schedule(model, Goal.PLAN);
      if (isMoved(result)) {
        moved.add(model.name());
        assertEqualBits(model, result.program());
      }
    }
    assertThat(moved).isNotEmpty();
  }

  /** The body of a loop, in which three large values are made before the first one is reduced. */
  @Test
  void operatorsOfALoopsBody_moveWithinIt() {
    String text =
        """
        version 2003002
        default fp32[1]
        block 0
          feed image: fp32[1]
          var c: bool[1]
          var n: int64[1]
          var i: int64[1]
          n = fill_constant() {shape: [1], dtype: 3, value: 3.0}
          i = fill_constant() {shape: [1], dtype: 3, value: 0.0}
          s = fill_constant() {shape: [1], dtype: 5, value: 0.0}
          c = less_than(i, n)
          while(Condition: c, X: s image i n) -> (Out: s c i, StepScopes: z) \
        {sub_block: 1, is_test: true}
          fetch(s)
        block 1 parent 0
          var a: fp32[256]
          var b: fp32[256]
          var d: fp32[256]
          a = expand_v2(image) {shape: [256]}
          b = fill_constant() {shape: [256], dtype: 5, value: 0.5}
          d = fill_constant() {shape: [256], dtype: 5, value: 0.25}
          p = reduce_sum(a) {reduce_all: true, dim: [0], keep_dim: false}
          q = reduce_sum(b) {reduce_all: true, dim: [0], keep_dim: false}
          r = reduce_sum(d) {reduce_all: true, dim: [0], keep_dim: false}
          t = elementwise_add(p, q)
          t = elementwise_add(t, r)
          s = elementwise_add(s, t)
          i = increment(i) {step: 1.0}
          c = less_than(i, n)
        """;
    Model model =
        Model.withRandomParameters(
            "loop", ProgramText.parse(text), Feeds.none().withImage("image", 1));
    TranspileResult result = schedule(model, Goal.PLAN);
    assertThat(isMoved(result)).isTrue();
    List<String> types = new ArrayList<>();
    result.program().block(1).operations().forEach(each -> types.add(each.type()));
    int last = Math.max(types.lastIndexOf("expand_v2"), types.lastIndexOf("fill_constant"));
    assertWithMessage("%s", types).that(types.indexOf("reduce_sum")).isLessThan(last);
    assertEqualBits(model, result.program());
  }

  static List<String> corpus() {
    return CorpusModels.names();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("corpus")
  void realPrograms_giveEqualBits(String name) {
    Model model = CorpusModels.read(name);
    TranspileResult result = schedule(model, Goal.PLAN);
    if (isMoved(result)) {
      assertEqualBits(model, result.program());
    }
  }

  /** The worked example of docs/schedule.md. */
  static Model searchedCells() {
    return Model.withRandomParameters(
        "searched_cells",
        ProgramReader.read(Path.of("testdata/examples/searched_cells/program.textproto")),
        Feeds.none().withImage("image", 1, 8, 24, 24));
  }
}
