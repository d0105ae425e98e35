package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.c.CCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Prints how long real programs take in C, on one thread, beside Paddle Inference with its default
 * graph passes. Parameters are random. The arguments are names of programs; without any, six image
 * models. Let nothing else run.
 */
public final class SpeedTable {

  private static final ImmutableList<String> PROGRAMS =
      ImmutableList.of(
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
    System.out.println(
        "| program | strict, ms | contracted, ms | Paddle, ms | Paddle ÷ strict"
            + " | Paddle ÷ contracted |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    double strict = 0;
    double contracted = 0;
    ImmutableList<String> names = args.length > 0 ? ImmutableList.copyOf(args) : PROGRAMS;
    for (String name : names) {
      Times times = measure(name);
      System.out.println("| " + name + times.text());
      strict += Math.log(times.paddle() / times.strict());
      contracted += Math.log(times.paddle() / times.contracted());
    }
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | %.2f | %.2f |%n",
        Math.exp(strict / names.size()),
        Math.exp(contracted / names.size()));
  }

  /** Milliseconds of the fastest run. */
  private record Times(double strict, double contracted, double paddle) {

    private String text() {
      return String.format(
          Locale.ROOT,
          " | %.1f | %.1f | %.1f | %.2f | %.2f |",
          strict,
          contracted,
          paddle,
          paddle / strict,
          paddle / contracted);
    }
  }

  private static Times measure(String name) throws Exception {
    Model model = CorpusModels.read(name);
    TranspileOptions options = TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    CompiledRun compiled =
        CompiledRun.of(model.program(), RandomTensors.parameters(model.program()), options)
            .withWeightsInFile();
    CCompiler compiler = CCompiler.find();
    Path folder = Files.createTempDirectory("speed");
    return new Times(
        time(compiled, compiler, folder, "-ffp-contract=off"),
        time(compiled, compiler, folder, "-ffp-contract=fast"),
        PaddleRuntime.milliseconds(model, Mode.FUSED, RUNS));
  }

  private static double time(
      CompiledRun compiled, CCompiler compiler, Path folder, String contraction) throws Exception {
    return compiled.milliseconds(compiler, folder, RUNS, "-O3", "-march=native", contraction);
  }
}
