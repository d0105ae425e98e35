package dev.sublet.paddle.order;

import dev.sublet.ScheduledProgram;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.MadePrograms;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints a Markdown table: bytes of Paddle programs in the order of the file and in the order that
 * {@code --schedule memory} finds.
 */
final class ScheduleOfProgramsTable {

  private ScheduleOfProgramsTable() {}

  /** Prints the table, of the real programs if {@code SUBLET_CORPUS} is set. */
  public static void main(String[] arguments) {
    List<Model> models = new ArrayList<>();
    models.add(MovedOperatorsTest.searchedCells());
    models.addAll(MadePrograms.all());
    CorpusModels.names().forEach(name -> models.add(CorpusModels.read(name)));
    System.out.println(
        "| program | operators | arena, as saved | in the order found | ÷ | names, as saved |"
            + " in the order found | ÷ | no order has fewer |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|---|");
    models.forEach(ScheduleOfProgramsTable::print);
  }

  private static void print(Model model) {
    TranspileOptions plan = options(model, Goal.PLAN);
    TranspileOptions names = options(model, Goal.NAMES);
    TranspileResult scheduled = ScheduledProgram.transpile(model.program(), plan, stage -> {});
    long arena = Transpiler.transpile(model.program(), plan).plan().arenaBytes();
    long arenaAfter = scheduled.plan().arenaBytes();
    long shared = Transpiler.transpile(model.program(), names).sharing().bytesAfter();
    long sharedAfter =
        ScheduledProgram.transpile(model.program(), names, stage -> {}).sharing().bytesAfter();
    boolean isLeast = scheduled.diagnostics().toString().contains("no order that can be proved");
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %.3f | %,d | %,d | %.3f | %s |%n",
        model.name(),
        model.program().operationCount(),
        arena,
        arenaAfter,
        (double) arenaAfter / arena,
        shared,
        sharedAfter,
        (double) sharedAfter / shared,
        isLeast ? "yes" : "not known");
  }

  private static TranspileOptions options(Model model, Goal goal) {
    TranspileOptions options = TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    return options.withSharing(options.sharing().withFusion(FusionMode.OFF).withGoal(goal));
  }
}
