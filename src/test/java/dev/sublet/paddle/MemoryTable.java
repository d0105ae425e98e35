package dev.sublet.paddle;

import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Prints how much memory real programs take in a real runtime with its default graph passes: as
 * they were saved, with Paddle's own memory pass, and rewritten. Two minutes; see CONTRIBUTING.
 */
public final class MemoryTable {

  private MemoryTable() {}

  /**
   * Resident peaks above the level before the run, in kB, under Paddle's graph passes.
   *
   * @param asSaved the original without Paddle's memory pass
   * @param paddle the original with Paddle's memory pass
   * @param open rewritten for every shape
   * @param given rewritten for the given shapes
   */
  record Row(String program, long asSaved, long paddle, Rewritten open, Rewritten given) {

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
  record Rewritten(long alone, long withPass) {

    private String text(long paddle) {
      return String.format(
          Locale.ROOT, "%,d | %,d | %.3f", alone, withPass, (double) withPass / paddle);
    }
  }

  /** Prints a row per program of the corpus. */
  public static void main(String[] args) {
    List<Row> rows = CorpusModels.names().parallelStream().map(MemoryTable::measure).toList();
    System.out.print(
        "| program | as saved | Paddle's own pass | rewritten | and the pass | ÷ pass ");
    System.out.println("| rewritten (`--shape`) | and the pass | ÷ pass |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    rows.forEach(row -> System.out.println(row.text()));
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | | %.3f | | | %.3f |%n",
        average(rows, Row::open),
        average(rows, Row::given));
  }

  /** The geometric mean of rewritten ÷ original, both with Paddle's memory pass. */
  static double average(List<Row> rows, Function<Row, Rewritten> form) {
    double logarithms = 0;
    for (Row row : rows) {
      logarithms += Math.log((double) form.apply(row).withPass() / row.paddle());
    }
    return Math.exp(logarithms / rows.size());
  }

  /** Measures a program of the corpus. */
  static Row measure(String name) {
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
}
