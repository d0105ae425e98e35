package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.shape.ShapeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * How much memory real programs take in a real runtime: as they were saved, with Paddle's own
 * memory optimization, and rewritten. Writes the table {@code target/paddle/memory.md}.
 */
final class PaddleMemoryTest {

  /** What a measurement may be off by, in kB: the process itself moves a little. */
  private static final long NOISE = 1024;

  /** Resident peaks above the level before the run, in kB. */
  private record Row(
      String program, long asSaved, long paddle, long rewritten, long forShapes, long both) {

    private String text() {
      return String.format(
          "| %s | %d | %d | %d | %d | %d |", program, asSaved, paddle, rewritten, forShapes, both);
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
      assertWithMessage("%s", row).that(row.rewritten()).isAtMost(row.asSaved() + NOISE);
      assertWithMessage("%s", row).that(row.forShapes()).isAtMost(row.asSaved() + NOISE);
    }
  }

  private static Row measure(String name) {
    Model model = CorpusModels.read(name);
    TranspileOptions defaults = TranspileOptions.defaults();
    ShapeOptions shapes = model.feeds().shapeOptions();
    Model rewritten = rewrite(model, defaults);
    Model forShapes = rewrite(model, defaults.withShapes(shapes));
    return new Row(
        name,
        PaddleRuntime.run(model, Mode.MEASURED).residentPeak(),
        PaddleRuntime.run(model, Mode.OPTIMIZING_MEMORY_MEASURED).residentPeak(),
        PaddleRuntime.run(rewritten, Mode.MEASURED).residentPeak(),
        PaddleRuntime.run(forShapes, Mode.MEASURED).residentPeak(),
        PaddleRuntime.run(forShapes, Mode.OPTIMIZING_MEMORY_MEASURED).residentPeak());
  }

  private static Model rewrite(Model model, TranspileOptions options) {
    return model.with(Transpiler.transpile(model.program(), options).program());
  }

  private static void write(List<Row> rows, Path file) throws IOException {
    StringBuilder table = new StringBuilder();
    table.append("Resident peak above the level before the run, in kB (ir_optim off):\n\n");
    table.append("| program | as saved | Paddle's own pass | rewritten");
    table.append(" | rewritten for these shapes | the same and Paddle's own pass |\n");
    table.append("|---|---|---|---|---|---|\n");
    for (Row row : rows) {
      table.append(row.text()).append('\n');
    }
    Files.writeString(file, table);
  }
}
