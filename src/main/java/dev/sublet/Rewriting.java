package dev.sublet;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import dev.sublet.loop.LoopMode;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.sharing.InsertReleases;
import dev.sublet.sharing.Sharing;
import dev.sublet.sharing.VariableSharing;
import java.util.function.Consumer;

/**
 * A program whose variables share names, and its plan; not yet proved.
 *
 * @param looped the program before its names were shared, its loops as they are to be
 * @param sharing what became of each variable
 * @param after the program with shared names
 * @param planned its plan
 */
record Rewriting(Analysis looped, Sharing sharing, Analysis after, LoopSteps.Planned planned) {

  /**
   * Shares names and plans, and compares with what a program whose loops are left alone comes to:
   * one name for what a loop copies can cost bytes in the end. If the smallest is asked for, the
   * smaller one is taken, of equal ones that which copies less; else a note says what copies would
   * take. Twice the work if loops were changed.
   *
   * @param before the program as it was
   * @param looped the program with loops that copy less; the same if there is nothing to gain
   */
  @SuppressWarnings("ReferenceEquality") // an analysis of an unchanged program is that object
  static Rewriting choose(
      Analysis before,
      Analysis looped,
      TranspileOptions options,
      Consumer<Stage> stages,
      DiagnosticLog log) {
    boolean isSmallest = options.loops() == LoopMode.SMALLEST;
    DiagnosticLog own = new DiagnosticLog();
    Rewriting changed = of(looped, options, stages, own);
    long withCopies = changed.planned.withCopies();
    if (looped != before && (isSmallest || options.loops() == LoopMode.MULTIVIEW)) {
      DiagnosticLog other = new DiagnosticLog();
      Rewriting unchanged =
          of(before, isSmallest ? options : options.withLoops(LoopMode.COPY), stages, other);
      if (isSmallest && unchanged.planned.bytes() < changed.planned.bytes()) {
        log.note(
            Place.nowhere(),
            "one name for what loops copy would take more bytes in the end, so it is left as it is");
        log.addAll(other);
        return unchanged;
      }
      withCopies = unchanged.planned.withCopies();
    }
    log.addAll(own);
    LoopSteps.noteCost(changed.planned.bytes(), withCopies, log);
    return changed;
  }

  private static Rewriting of(
      Analysis looped, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    stages.accept(Stage.SHARING);
    Sharing sharing =
        VariableSharing.share(
            looped.liveness(),
            looped.sizes(),
            looped.lod(),
            looped.places(),
            options.catalog(),
            options.shapes(),
            options.sharing(),
            log);
    Program rewritten = finish(sharing.program(), options, log);
    stages.accept(Stage.ANALYSIS);
    Analysis after = Analysis.of(rewritten, options, new DiagnosticLog());
    stages.accept(Stage.PLANNING);
    LoopSteps.Planned planned =
        LoopSteps.plan(after, options, plan -> Transpiler.verifyPlan(after, plan, options), log);
    return new Rewriting(looped, sharing, after, planned);
  }

  private static Program finish(Program shared, TranspileOptions options, DiagnosticLog log) {
    Program result = shared;
    if (options.release()) {
      result = InsertReleases.insert(Analysis.of(result, options, log).liveness());
    }
    if (options.stripDebug()) {
      result = ProgramEditor.of(result).dropAttribute("op_callstack").build();
    }
    return result;
  }
}
