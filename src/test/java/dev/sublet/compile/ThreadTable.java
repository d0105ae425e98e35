package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.c.CCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Prints the arena and the time of compiled programs of the corpus on one thread and on two: {@code
 * SUBLET_CORPUS=… java … ThreadTable [PROGRAM…]}.
 */
final class ThreadTable {

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

  private ThreadTable() {}

  /** Prints a table with a row per program. */
  public static void main(String[] args) throws Exception {
    System.out.println("| program | arena, KiB | with 2 threads | ms | with 2 threads | ratio |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    for (String name : args.length > 0 ? ImmutableList.copyOf(args) : PROGRAMS) {
      Model model = CorpusModels.read(name);
      TranspileOptions options =
          TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
      CompiledRun one =
          CompiledRun.of(model.program(), RandomTensors.parameters(model.program()), options)
              .withWeightsInFile();
      CompiledRun two = one.withThreads(2);
      double alone = milliseconds(one);
      double together = milliseconds(two);
      System.out.printf(
          Locale.ROOT,
          "| %s | %,d | %,d | %.1f | %.1f | %.2f |%n",
          name,
          one.model().plan().plan().arenaBytes() / 1024,
          two.model().plan().plan().arenaBytes() / 1024,
          alone,
          together,
          alone / together);
    }
  }

  private static double milliseconds(CompiledRun run) throws Exception {
    Path folder = Files.createTempDirectory("threads");
    return run.milliseconds(
        CCompiler.find(), folder, RUNS, "-O3", "-march=native", "-ffp-contract=off", "-pthread");
  }
}
