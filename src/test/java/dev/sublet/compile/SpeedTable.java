package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.compile.CompiledRun.Cost;
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
 * Prints what real programs cost in C, on one thread, beside Paddle Inference with its default
 * graph passes. Parameters are random. The arguments are names of programs; without any, all that
 * compile. Ten minutes; let nothing else run.
 */
public final class SpeedTable {

  private static final ImmutableList<String> PROGRAMS =
      ImmutableList.of(
          "clas_huxj",
          "luong_infer",
          "ocr_rec_ultralight23",
          "ocr_samouch",
          "paddledet_tt8000",
          "picodet_mainbody",
          "ppyoloe_l",
          "slanet_ch",
          "t66y");

  private static final int RUNS = 20;

  private SpeedTable() {}

  /** Prints a row per program, and the geometric means. */
  public static void main(String[] args) throws Exception {
    System.out.println(
        "| program | arena, KiB | resident − constants, KiB | `cc`, s | strict, ms"
            + " | fast, ms | Paddle, ms | Paddle ÷ strict | Paddle ÷ fast |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    double strict = 0;
    double fast = 0;
    ImmutableList<String> names = args.length > 0 ? ImmutableList.copyOf(args) : PROGRAMS;
    for (String name : names) {
      Row row = measure(name);
      System.out.println(row.text());
      strict += Math.log(row.paddle() / row.strict().milliseconds());
      fast += Math.log(row.paddle() / row.fast().milliseconds());
    }
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | | | | %.2f | %.2f |%n",
        Math.exp(strict / names.size()),
        Math.exp(fast / names.size()));
  }

  private record Row(
      String name, long arena, long constants, Cost strict, Cost fast, double paddle) {

    private String text() {
      return String.format(
          Locale.ROOT,
          "| %s | %,d | %,d | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |",
          name,
          arena / 1024,
          (strict.residentBytes() - constants) / 1024,
          strict.buildSeconds(),
          strict.milliseconds(),
          fast.milliseconds(),
          paddle,
          paddle / strict.milliseconds(),
          paddle / fast.milliseconds());
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
    return new Row(
        name,
        compiled.model().plan().plan().arenaBytes(),
        requireNonNull(compiled.model().files().get("test_weights.bin")).length,
        cost(compiled, compiler, folder, "-ffp-contract=off"),
        cost(compiled.withMath(MathMode.FAST), compiler, folder, "-ffp-contract=fast"),
        PaddleRuntime.milliseconds(model, Mode.FUSED, RUNS));
  }

  private static Cost cost(
      CompiledRun compiled, CCompiler compiler, Path folder, String contraction) throws Exception {
    return compiled.cost(compiler, folder, RUNS, "-O3", "-march=native", contraction);
  }
}
