package dev.sublet.compile;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /** Prints two tables with a row per program, and the geometric means. */
  public static void main(String[] args) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (String name : args.length > 0 ? ImmutableList.copyOf(args) : PROGRAMS) {
      rows.add(measure(name));
      System.err.println(name);
    }
    System.out.println(
        "| program | arena, KiB | results, KiB | anonymous, KiB | resident, KiB | Paddle, KiB | ÷ Paddle |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    rows.forEach(row -> System.out.println(row.memory()));
    System.out.printf(
        Locale.ROOT, "| geometric mean | | | | | | %.2f |%n%n", mean(rows, Row::memoryRatio));
    System.out.println(
        "| program | `cc`, s | strict, ms | fast, ms | Paddle, ms | Paddle ÷ strict"
            + " | Paddle ÷ fast |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    rows.forEach(row -> System.out.println(row.speed()));
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | | %.2f | %.2f |%n",
        mean(rows, row -> row.paddle() / row.strict().milliseconds()),
        mean(rows, row -> row.paddle() / row.fast().milliseconds()));
  }

  private static double mean(List<Row> rows, ToDoubleFunction<Row> ratio) {
    return Math.exp(
        rows.stream().mapToDouble(row -> Math.log(ratio.applyAsDouble(row))).average().orElse(0));
  }

  private record Row(
      String name,
      long arena,
      long results,
      Cost strict,
      Cost fast,
      long paddleKibibytes,
      double paddle) {

    private double memoryRatio() {
      return (double) strict.resident() / paddleKibibytes;
    }

    private String memory() {
      return String.format(
          Locale.ROOT,
          "| %s | %,d | %,d | %,d | %,d | %,d | %.2f |",
          name,
          arena / 1024,
          results / 1024,
          strict.anonymous(),
          strict.resident(),
          paddleKibibytes,
          memoryRatio());
    }

    private String speed() {
      return String.format(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |",
          name,
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
        resultBytes(compiled),
        cost(compiled, compiler, folder, "-ffp-contract=off"),
        cost(compiled.withMath(MathMode.FAST), compiler, folder, "-ffp-contract=fast"),
        PaddleRuntime.run(model, Mode.FUSED_OPTIMIZING_MEMORY_MEASURED).residentPeak(),
        PaddleRuntime.milliseconds(model, Mode.FUSED, RUNS));
  }

  private static long resultBytes(CompiledRun compiled) {
    String header = new String(requireNonNull(compiled.model().files().get("test.h")), UTF_8);
    Matcher sizes = Pattern.compile("TEST_OUTPUT_\\w+_BYTES (\\d+)UL").matcher(header);
    long bytes = 0;
    while (sizes.find()) {
      bytes += Long.parseLong(sizes.group(1));
    }
    return bytes;
  }

  private static Cost cost(
      CompiledRun compiled, CCompiler compiler, Path folder, String contraction) throws Exception {
    return compiled.cost(compiler, folder, RUNS, "-O3", "-march=native", contraction);
  }
}
