package dev.sublet.paddle;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.RunResult;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints whether rewritten programs give the bits of the fused originals in Paddle with its graph
 * passes on: for the default options, and for the shapes of the feeds. Two minutes; see
 * CONTRIBUTING.
 */
public final class FusionTable {

  private FusionTable() {}

  /** Prints a line per program and mode. */
  public static void main(String[] args) {
    List<Model> models = new ArrayList<>(FusedPrograms.all());
    models.addAll(MadePrograms.all());
    CorpusModels.names().forEach(name -> models.add(CorpusModels.read(name)));
    for (Model model : models) {
      List<Program> programs = new ArrayList<>(List.of(model.program()));
      TranspileOptions defaults = TranspileOptions.defaults();
      TranspileOptions shaped = defaults.withShapes(model.feeds().shapeOptions());
      programs.add(Transpiler.transpile(model.program(), defaults).program());
      programs.add(Transpiler.transpile(model.program(), shaped).program());
      programs.add(Transpiler.transpile(model.program(), off(shaped)).program());
      System.out.println(model + " " + costs(model, defaults) + " | " + costs(model, shaped));
      for (Mode mode : List.of(Mode.FUSED, Mode.FUSED_OPTIMIZING_MEMORY)) {
        ImmutableList<PaddleBatch.Result> results = PaddleBatch.run(model, programs, mode);
        StringBuilder line = new StringBuilder(model + " " + mode);
        RunResult expected = result(results.get(0));
        line.append(
            results.get(0).failure().isEmpty() ? "" : " ORIGINAL " + results.get(0).failure());
        for (int i = 1; i < results.size(); i++) {
          PaddleBatch.Result each = results.get(i);
          line.append(" | ")
              .append(
                  !each.failure().isEmpty()
                      ? each.failure()
                      : result(each).differencesFrom(expected).isEmpty() ? "equal" : "WRONG");
        }
        System.out.println(line);
      }
    }
  }

  /** The bytes of the shared names and of the arena, with and without regard to graph passes. */
  private static String costs(Model model, TranspileOptions options) {
    TranspileResult safe = Transpiler.transpile(model.program(), options);
    TranspileResult free = Transpiler.transpile(model.program(), off(options));
    return String.format(
        "names %,d of %,d (%.3f), arena %,d of %,d (%.3f)",
        safe.sharing().bytesAfter(),
        free.sharing().bytesAfter(),
        (double) safe.sharing().bytesAfter() / free.sharing().bytesAfter(),
        safe.plan().arenaBytes(),
        free.plan().arenaBytes(),
        (double) safe.plan().arenaBytes() / free.plan().arenaBytes());
  }

  private static TranspileOptions off(TranspileOptions options) {
    return options.withSharing(options.sharing().withFusion(SharingOptions.FusionMode.OFF));
  }

  private static RunResult result(PaddleBatch.Result result) {
    return new RunResult(result.outputs(), 0, ImmutableList.of());
  }
}
