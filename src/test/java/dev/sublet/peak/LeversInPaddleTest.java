package dev.sublet.peak;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Joiner;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.cli.CommandRun;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Program;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that {@link Levers} lists, made in real programs, and run in a real Paddle. */
final class LeversInPaddleTest {

  /** What the changes must leave of the arena, at most. */
  private static final double MOST = 0.9;

  @BeforeAll
  static void needsRuntimeAndCorpus() {
    PaddleRuntime.assumeAvailable();
    CorpusModels.assumeAvailable();
  }

  private static void assertEqualResults(Model model, Program changed) {
    for (Mode mode : new Mode[] {Mode.PLAIN, Mode.OPTIMIZING_MEMORY}) {
      List<PaddleBatch.Result> results =
          PaddleBatch.run(model, List.of(model.program(), changed), mode);
      assertWithMessage("%s, %s", model, mode)
          .that(results.get(1).differencesFrom(results.get(0).orThrow(model)))
          .isEmpty();
    }
  }

  private static long residentPeak(Model model, Program program) {
    return PaddleRuntime.run(model.with(program), Mode.OPTIMIZING_MEMORY_MEASURED).residentPeak();
  }

  private static Model batchOfFour(String name, String feed, int extent) {
    return CorpusModels.read(name).withFeeds(Feeds.none().withImage(feed, 4, 3, extent, extent));
  }

  private static TranspileOptions options(Model model) {
    return TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
  }

  private static long arena(Program program, TranspileOptions options) {
    return Transpiler.plan(program, options).plan().arenaBytes();
  }

  private static Program onHalves(Model model) {
    PlanResult whole = Transpiler.plan(model.program(), options(model));
    PlanPeak peak = PlanPeak.of(whole.facts(), whole.plan());
    return BatchSplit.of(ProgramVersion.of(whole.facts().program()), whole.facts(), peak.node())
        .stream()
        .map(split -> split.program().program())
        .min(Comparator.comparingLong(program -> arena(program, options(model))))
        .orElseThrow();
  }

  /**
   * Measured, in kB: 49,728 as saved, 34,044 rewritten, 25,612 on halves for clas_huxj; 51,672,
   * 35,984 and 27,236 for t66y.
   */
  private static void assertHalvesNeedLess(Model model) {
    Program halves = onHalves(model);
    TranspileOptions options = options(model);
    assertWithMessage("arena of %s", model)
        .that((double) arena(halves, options))
        .isAtMost(MOST * arena(model.program(), options));
    assertEqualResults(model, halves);
    Program rewritten = Transpiler.transpile(model.program(), options).program();
    double before = Math.min(residentPeak(model, model.program()), residentPeak(model, rewritten));
    assertWithMessage("resident peak of %s", model)
        .that((double) residentPeak(model, halves))
        .isAtMost(MOST * before);
  }

  @Test
  void halvesOfTheBatch_needLess_andGiveEqualBits() {
    assertHalvesNeedLess(batchOfFour("t66y", "image", 250));
    if (LongForm.isOn()) {
      assertHalvesNeedLess(batchOfFour("clas_huxj", "x", 224));
    }
  }

  /** Paddle's graph passes scale a filter by each batch normalization after it: here twice. */
  @Test
  void halvesOfTheBatch_areWrongUnderGraphPasses() {
    Model model = batchOfFour("t66y", "image", 250);
    assertThat(
            PaddleRuntime.run(model.with(onHalves(model)), Mode.FUSED)
                .differencesFrom(PaddleRuntime.run(model, Mode.FUSED)))
        .isNotEmpty();
  }

  @Test
  void reusedFeeds_needLessArena_andGiveEqualBits() {
    for (String name : new String[] {"luong_infer", "t66y"}) {
      Model model = CorpusModels.read(name);
      ObservationOptions seen = options(model).observation();
      TranspileOptions reusing =
          options(model)
              .withObservation(
                  new ObservationOptions(
                      seen.fetch(), seen.keep(), /* reuseFeeds= */ true, seen.aliases()));
      assertWithMessage("arena of %s", model)
          .that((double) arena(model.program(), reusing))
          .isAtMost(MOST * arena(model.program(), options(model)));
      assertEqualResults(model, Transpiler.transpile(model.program(), reusing).program());
    }
  }

  /** A skip connection: {@code a} waits for the end of a branch that is larger. */
  private static final String SKIP =
      """
      version 2003002
      default fp32[]
      block 0
        feed x: fp32[1,64]
        a = relu(x)
        b = concat(a a a a) {axis: 1}
        c = tanh(b)
        d = reduce_sum(c) {dim: [1], keep_dim: true}
        y = elementwise_add(a, d)
        fetch(y)
      """;

  private static Model skip(String text) {
    return Model.withRandomParameters(
        "skip", ProgramText.parse(text), Feeds.none().withImage("x", 1, 64));
  }

  /** The program that {@code explain --peak --apply} writes for a change. */
  private static Program written(Model model, Path folder, String change) throws IOException {
    Path input = folder.resolve("in.pdmodel");
    Path output = folder.resolve("out.pdmodel");
    Files.write(input, model.program().toMessage().toByteArray());
    List<Object> explain = new ArrayList<>(List.of("explain", input, "--peak", "-q"));
    model
        .feeds()
        .shapes()
        .forEach((name, shape) -> explain.add("--shape=" + name + "=" + joined(shape)));
    List<String> lines = CommandRun.of(explain.toArray()).text().lines().toList();
    String line = lines.stream().filter(each -> each.contains(change)).findFirst().orElseThrow();
    explain.addAll(List.of("--apply", line.strip().split(" ", 2)[0], "-o", output));
    CommandRun run = CommandRun.of(explain.toArray());
    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
    return ProgramReader.read(output);
  }

  private static String joined(ImmutableLongArray shape) {
    return Joiner.on(',').join(shape.asList());
  }

  @Test
  void writtenChanges_giveEqualBits(@TempDir Path folder) throws IOException {
    Model corpus = batchOfFour("clas_huxj", "x", 224);
    assertEqualResults(corpus, written(corpus, folder, "on half the batch"));
    Path example = Path.of("testdata", "examples", "ten_operators", "program.textproto");
    Model convolutions =
        Model.withRandomParameters(
            "ten_operators",
            ProgramReader.read(example),
            Feeds.none().withImage("image", 5, 3, 32, 32));
    assertEqualResults(convolutions, written(convolutions, folder, "on half the batch"));
    Model skip = skip(SKIP);
    assertEqualResults(skip, written(skip, folder, "compute 'a' again"));
  }

  /** The other results move up by one column, which a runtime demands. */
  @Test
  void aResultThatIsLeftOut_leavesTheOthers(@TempDir Path folder) throws IOException {
    Model skip = skip(SKIP.replace("d = reduce_sum", "fetch(b)\n  e = tanh(c)\n  d = reduce_sum"));
    Program without = written(skip, folder, "without the result 'b'");
    Map<String, TensorData> all = PaddleRuntime.run(skip, Mode.PLAIN).outputs();
    Map<String, TensorData> left = PaddleRuntime.run(skip.with(without), Mode.PLAIN).outputs();
    assertThat(all.keySet()).containsExactly("b", "y").inOrder();
    assertThat(left.keySet()).containsExactly("y");
    assertThat(left.get("y")).isEqualTo(all.get("y"));
  }
}
