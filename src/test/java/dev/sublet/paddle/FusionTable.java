package dev.sublet.paddle;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.paddle.runtime.FusedModels;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prints the table of docs/fusion.md: whether rewritten programs give the bits of the originals in
 * Paddle with its graph passes on, which passes changed the originals, and what regard to them
 * costs. With the argument {@code fused}, the programs are those that Paddle saves after its
 * passes, and run with the passes off, too. Four minutes; see CONTRIBUTING.
 */
public final class FusionTable {

  private static final ImmutableList<Mode> SAVED =
      ImmutableList.of(Mode.FUSED, Mode.FUSED_OPTIMIZING_MEMORY);

  private static final ImmutableList<Mode> FUSED =
      ImmutableList.of(Mode.PLAIN, Mode.FUSED_OPTIMIZING_MEMORY);

  private FusionTable() {}

  /** Prints a row per program. */
  public static void main(String[] args) {
    List<Model> models = new ArrayList<>(FusedPrograms.all());
    models.addAll(MadePrograms.all());
    CorpusModels.names().forEach(name -> models.add(CorpusModels.read(name)));
    System.out.println(
        "| program | passes that find something | safe | off"
            + " | bytes of names, safe ÷ off | arena, safe ÷ off |");
    System.out.println("|---|---|---|---|--:|--:|");
    if (args.length > 0) {
      FusedModels.of(models).forEach(model -> System.out.println(row(model, FUSED)));
    } else {
      models.forEach(model -> System.out.println(row(model, SAVED)));
    }
  }

  private static String row(Model model, ImmutableList<Mode> modes) {
    TranspileOptions defaults = TranspileOptions.defaults();
    TranspileOptions shaped = defaults.withShapes(model.feeds().shapeOptions());
    TranspileResult safe = Transpiler.transpile(model.program(), shaped);
    TranspileResult off = Transpiler.transpile(model.program(), off(shaped));
    Program open = Transpiler.transpile(model.program(), defaults).program();
    Set<String> ofSafe = new TreeSet<>();
    Set<String> ofOff = new TreeSet<>();
    Set<String> passes = new LinkedHashSet<>();
    for (Mode mode : modes) {
      ImmutableList<PaddleBatch.Result> results =
          PaddleBatch.run(
              model, List.of(model.program(), open, safe.program(), off.program()), mode);
      PaddleBatch.Result original = results.get(0);
      passes.addAll(original.trace());
      ofSafe.add(judge(results.get(1), original));
      ofSafe.add(judge(results.get(2), original));
      ofOff.add(judge(results.get(3), original));
    }
    long safeBytes = safe.sharing().bytesAfter();
    long offBytes = off.sharing().bytesAfter();
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %,d ÷ %,d = %.3f | %.3f |",
        model,
        passes.isEmpty() ? "–" : String.join(", ", passes).replace("_pass", ""),
        String.join(", ", ofSafe),
        String.join(", ", ofOff),
        safeBytes,
        offBytes,
        (double) safeBytes / offBytes,
        (double) safe.plan().arenaBytes() / off.plan().arenaBytes());
  }

  private static String judge(PaddleBatch.Result result, PaddleBatch.Result original) {
    if (!original.failure().isEmpty()) {
      return "the original: " + original.failure();
    }
    if (!result.failure().isEmpty()) {
      return "throws";
    }
    return result.differencesFrom(original).isEmpty() ? "equal" : "wrong bits";
  }

  private static TranspileOptions off(TranspileOptions options) {
    return options.withSharing(options.sharing().withFusion(SharingOptions.FusionMode.OFF));
  }
}
