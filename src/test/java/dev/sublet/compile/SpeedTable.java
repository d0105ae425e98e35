package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import dev.sublet.TranspileOptions;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.c.CCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Prints how long real programs take in C, on one thread, beside Paddle Inference with its default
 * graph passes. Parameters are random. The arguments are names of programs; without any, those for
 * which issue 26 states a target. Five minutes; let nothing else run.
 */
public final class SpeedTable {

  private static final List<String> PROGRAMS =
      List.of(
          "clas_huxj",
          "luong_infer",
          "paddledet_tt8000",
          "ocr_rec_ultralight23",
          "ocr_samouch",
          "t66y");

  private static final int RUNS = 20;

  private SpeedTable() {}

  /** Prints a row per program, and the geometric means. */
  public static void main(String[] args) throws Exception {
    System.out.print(
        "| program | arena, bytes | C, bytes | `cc`, s | strict, ms | contracted, ms ");
    System.out.println("| Paddle, ms | Paddle ÷ strict | Paddle ÷ contracted |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    double strict = 0;
    double contracted = 0;
    List<String> names = args.length > 0 ? List.of(args) : PROGRAMS;
    for (String name : names) {
      Row row = measure(name);
      System.out.println(row.text());
      strict += Math.log(row.paddle() / row.strict());
      contracted += Math.log(row.paddle() / row.contracted());
    }
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | | | | %.2f | %.2f |%n",
        Math.exp(strict / names.size()),
        Math.exp(contracted / names.size()));
  }

  private record Row(
      String name,
      long arena,
      long source,
      double building,
      double strict,
      double contracted,
      double paddle) {

    private String text() {
      return String.format(
          Locale.ROOT,
          "| %s | %,d | %,d | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |",
          name,
          arena,
          source,
          building,
          strict,
          contracted,
          paddle,
          paddle / strict,
          paddle / contracted);
    }
  }

  private static Row measure(String name) throws Exception {
    Model model = CorpusModels.read(name);
    TranspileOptions options = TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    CompiledRun compiled =
        CompiledRun.of(model.program(), RandomTensors.parameters(model.program()), options)
            .withWeightsInFile();
    CCompiler compiler = CCompiler.find();
    Path folder = Files.createTempDirectory("speed");
    long begin = System.nanoTime();
    double strict = time(compiled, compiler, folder, "-ffp-contract=off");
    double building = (System.nanoTime() - begin) * 1e-9;
    return new Row(
        name,
        compiled.model().plan().plan().arenaBytes(),
        requireNonNull(compiled.model().files().get("test.c")).length,
        building - strict * 1e-3 * (RUNS + 1),
        strict,
        time(compiled, compiler, folder, "-ffp-contract=fast"),
        PaddleRuntime.milliseconds(model, Mode.FUSED, RUNS));
  }

  private static double time(
      CompiledRun compiled, CCompiler compiler, Path folder, String contraction) throws Exception {
    return compiled.milliseconds(compiler, folder, RUNS, "-O3", "-march=native", contraction);
  }
}
