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
