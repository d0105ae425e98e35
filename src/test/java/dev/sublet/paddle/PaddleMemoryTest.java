package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * How much memory real programs take in a real runtime: as they were saved, with Paddle's own
 * memory optimization, and rewritten. Writes the table {@code target/paddle/memory.md}.
 */
final class PaddleMemoryTest {

  /** What a measurement may be off by, in kB: the process itself moves a little. */
  private static final long NOISE = 1024;

  /** The most that a program rewritten for its shapes may need of what the original needs. */
  private static final double MOST = 1.02;

  /** The most that the rewritten programs may need on average (geometric mean). */
  private static final double MOST_ON_AVERAGE = 0.85;

  /**
   * Resident peaks above the level before the run, in kB, under Paddle's graph passes.
   *
   * @param asSaved the original without Paddle's memory pass
   * @param paddle the original with Paddle's memory pass
   * @param open rewritten for every shape
   * @param given rewritten for the given shapes
   */
  private record Row(String program, long asSaved, long paddle, Rewritten open, Rewritten given) {

    private String text() {
      return String.format(
          Locale.ROOT,
          "| %s | %,d | %,d | %s | %s |",
          program,
          asSaved,
          paddle,
          open.text(paddle),
          given.text(paddle));
    }
  }

  /** Resident peaks of a rewritten program without and with Paddle's memory pass, in kB. */
  private record Rewritten(long alone, long withPass) {

    private String text(long paddle) {
      return String.format(
          Locale.ROOT, "%,d | %,d | %.3f", alone, withPass, (double) withPass / paddle);
    }
  }

  @BeforeAll
  static void needsRuntimeAndCorpus() {
    PaddleRuntime.assumeAvailable();
    CorpusModels.assumeAvailable();
  }

  @Test
  void rewrittenPrograms_takeNoMoreMemory() throws IOException {
    ImmutableList<Row> rows =
        CorpusModels.names().parallelStream()
            .map(PaddleMemoryTest::measure)
            .collect(ImmutableList.toImmutableList());
    write(rows, PaddleRuntime.FOLDER.resolve("memory.md"));
    for (Row row : rows) {
      assertWithMessage("%s", row).that(row.open().alone()).isAtMost(row.asSaved() + NOISE);
      assertWithMessage("%s", row).that(row.given().alone()).isAtMost(row.asSaved() + NOISE);
      double most = MOST * row.paddle();
      assertWithMessage("%s", row).that((double) row.given().withPass()).isAtMost(most);
    }
    assertThat(average(rows, Row::given)).isAtMost(MOST_ON_AVERAGE);
    assertThat(average(rows, Row::open)).isAtMost(MOST_ON_AVERAGE);
  }

  /** The geometric mean of rewritten ÷ original, both with Paddle's memory pass. */
  private static double average(List<Row> rows, Function<Row, Rewritten> form) {
    double logarithms = 0;
    for (Row row : rows) {
      logarithms += Math.log((double) form.apply(row).withPass() / row.paddle());
    }
    return Math.exp(logarithms / rows.size());
  }

  private static Row measure(String name) {
    Model model = CorpusModels.read(name);
    TranspileOptions defaults = TranspileOptions.defaults();
    Model open = rewrite(model, defaults);
    Model given = rewrite(model, defaults.withShapes(model.feeds().shapeOptions()));
    return new Row(
        name,
        residentPeak(model, Mode.FUSED_MEASURED),
        residentPeak(model, Mode.FUSED_OPTIMIZING_MEMORY_MEASURED),
        run(open),
        run(given));
  }

  private static Rewritten run(Model model) {
    return new Rewritten(
        residentPeak(model, Mode.FUSED_MEASURED),
        residentPeak(model, Mode.FUSED_OPTIMIZING_MEMORY_MEASURED));
  }

  private static long residentPeak(Model model, Mode mode) {
    return PaddleRuntime.run(model, mode).residentPeak();
  }

  private static Model rewrite(Model model, TranspileOptions options) {
    return model.with(Transpiler.transpile(model.program(), options).program());
  }

  private static void write(List<Row> rows, Path file) throws IOException {
    StringBuilder table = new StringBuilder();
    table.append("Resident peak above the level before the run, in kB, graph passes on:\n\n");
    table.append("| program | as saved | Paddle's own pass | rewritten | and the pass | ÷ pass ");
    table.append("| rewritten (`--shape`) | and the pass | ÷ pass |\n");
    table.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (Row row : rows) {
      table.append(row.text()).append('\n');
    }
    table.append(
        String.format(
            Locale.ROOT,
            "| geometric mean | | | | | %.3f | | | %.3f |\n",
            average(rows, Row::open),
            average(rows, Row::given)));
    Files.writeString(file, table);
  }
}
