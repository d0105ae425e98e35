package dev.sublet;

import com.google.common.collect.ImmutableMap;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.picture.OriginalProgram;
import dev.sublet.picture.Picture;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;

/**
 * Pictures of the results of {@link Transpiler}; {@link dev.sublet.picture} turns them into pages,
 * SVG and texts. Stateless.
 */
public final class ResultPictures {

  private ResultPictures() {}

  /**
   * Returns the picture of a program's plan over its operators. O((plan + program) × log).
   *
   * @param title the title of the picture
   * @param program the program that the plan is for
   * @param plan the plan
   * @return the picture
   * @throws dev.sublet.diag.ProgramException if the plan is for another program, or an allocation
   *     lies outside of its arena
   */
  public static Picture ofPlan(String title, Program program, MemoryPlan plan) {
    Verifier.checkedFor(program, plan);
    return Picture.ofPlan(title, graph(program), plan, ImmutableMap.of());
  }

  /**
   * Returns the picture of a rewritten program beside the original. O((programs + plan) × log).
   *
   * @param title the title of the picture
   * @param result the rewritten program and its plan
   * @return the picture
   */
  public static Picture ofRewrite(String title, TranspileResult result) {
    return ofRewrite(title, result, ImmutableMap.of());
  }

  /**
   * Returns the picture of a rewritten program beside the original. O((programs + plan) × log).
   *
   * @param title the title of the picture
   * @param result the rewritten program and its plan
   * @param origins the kinds and source lines of variables, as far as they are known
   * @return the picture
   */
  public static Picture ofRewrite(
      String title, TranspileResult result, ImmutableMap<VariableId, Origin> origins) {
    // These are the live ranges of the plan too.
    ProgramFacts before = result.facts().forOffsets();
    Liveness needs = before.liveness();
    return Picture.ofRewrite(
        title,
        new OriginalProgram(needs.graph(), needs.ranges(), before.sizes()),
        result.sharing(),
        result.rewritten().liveness().graph(),
        result.plan(),
        origins);
  }

  /**
   * Returns the picture of a planned table of buffers. O(rows × log).
   *
   * @param title the title of the picture
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
