package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unrolled loops of {@code testdata/loops} in a real runtime: for each number of iterations the
 * bits of the loop that copies.
 */
final class UnrolledLoopsBitsTest {

  private static final int[] ITERATIONS = {0, 1, 2, 5};

  private static final TranspileOptions UNROLL =
      TranspileOptions.defaults()
          .withLoops(LoopMode.UNROLL)
          .withObservation(
              new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "two_targets_inside",
        "four_back",
        "circle_of_three",
        "swap_and_chain",
        "used_after_carry",
        "nested_both",
        "array_in_body",
        "case_and_swap"
      })
  void unrolledLoop_givesEqualBits(String name) throws IOException {
    String text = Files.readString(Path.of("testdata/loops", name + ".program"));
    List<Model> models = new ArrayList<>();
    for (int iterations : ITERATIONS) {
      Model model = model(name, text, iterations);
      models.add(model);
      models.add(model.with(unrolled(model)));
    }
    ImmutableList<PaddleBatch.Result> results = PaddleBatch.runModels(models, Mode.PLAIN);
    for (int i = 0; i < ITERATIONS.length; i++) {
      PaddleBatch.Result expected = results.get(2 * i);
      assertWithMessage("%s: %s", models.get(2 * i), expected.failure())
          .that(expected.outputs())
          .isNotEmpty();
      assertWithMessage("%s", models.get(2 * i))
          .that(results.get(2 * i + 1).differencesFrom(expected))
          .isEmpty();
    }
  }

  private static Model model(String name, String text, int iterations) {
    Program program = ProgramText.parse(withCounters(text, iterations));
    Feeds feeds = Feeds.none();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        var variable = program.variable(operation.output(0));
        feeds =
            feeds.withImage(variable.name(), variable.tensorType().orElseThrow().dims().toArray());
      }
    }
    return Model.withRandomParameters(name + " x " + iterations, program, feeds);
  }

  private static Program unrolled(Model model) {
    Program unrolled = Transpiler.transpile(model.program(), UNROLL).program();
    assertWithMessage("blocks of %s", model)
        .that(unrolled.blocks().size())
        .isGreaterThan(model.program().blocks().size());
    return unrolled;
  }

  /** The counters, which are parameters in the file, are constants that the program makes. */
  private static String withCounters(String text, int iterations) {
    List<String> lines = new ArrayList<>();
    boolean isMade = false;
    for (String line :
        Splitter.on('\n').split(text.replace("version 2004000", "version 2003002"))) {
      String plain = line.replace(" persistable", "");
      if (!isMade
          && line.startsWith("  ")
          && !line.startsWith("  feed")
          && !line.contains("var ")) {
        addConstant(text, "i", 0, lines);
        addConstant(text, "zero", 0, lines);
        addConstant(text, "n", iterations, lines);
        addConstant(text, "m", 3, lines);
        lines.add("  c = less_than(X: i, Y: n) {axis: -1}");
        isMade = true;
      }
      lines.add(plain);
    }
    return String.join("\n", lines);
  }

  private static void addConstant(String text, String name, int value, List<String> lines) {
    if (text.contains("var " + name + ": int64")) {
      lines.add("  " + name + " = fill_constant() {shape: [1L], dtype: 3, value: " + value + ".0}");
    }
  }
}
