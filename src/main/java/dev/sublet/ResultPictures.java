package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.picture.OriginalProgram;
import dev.sublet.picture.Picture;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;

/**
 * Pictures of what {@link Transpiler} returns; {@link dev.sublet.picture} makes pages, SVG and
 * texts of them. Stateless.
 */
public final class ResultPictures {

  private ResultPictures() {}

  /**
   * A program's plan over its operators. O((plan + program) × log).
   *
   * @param title what the picture is called
   * @param program the program that the plan is for
   * @param plan the plan
   * @return the picture
   * @throws dev.sublet.diag.ProgramException if the plan is for another program, or an allocation
   *     lies outside of its arena
   */
  public static Picture ofPlan(String title, Program program, MemoryPlan plan) {
    Verifier.checkedFor(program, plan);
    return Picture.ofPlan(title, graph(program), plan);
  }

  /**
   * What a program was rewritten to, beside the program as it was, which is analyzed once more.
   *
   * @param title what the picture is called
   * @param result the rewritten program and its plan
   * @param options those that the result was made with
   * @return the picture
   */
  public static Picture ofRewrite(String title, TranspileResult result, TranspileOptions options) {
    ProgramFacts before =
        ProgramFacts.of(result.original(), options.analysis(), new DiagnosticLog());
    // What a runtime may do without when only bytes count, as the plan counts it.
    Liveness needs = before.liveness().forBytes(before.sizes()::isKnown);
    return Picture.ofRewrite(
        title,
        new OriginalProgram(needs.graph(), needs.ranges(), before.sizes()),
        result.sharing(),
        graph(result.program()),
        result.plan());
  }

  /**
   * A table of buffers that was planned. O(rows × log).
   *
   * @param title what the picture is called
   * @param result the table and its offsets
   * @return the picture
   */
  public static Picture ofTable(String title, TableResult result) {
    return Picture.ofTable(
        title,
        result.table(),
        result.placement().offsets(),
        result.placement().arenaBytes(),
        result.placement().lowerBound());
  }

  private static ControlFlowGraph graph(Program program) {
    return ControlFlowGraph.build(program, OperatorCatalog.standard());
  }
}
