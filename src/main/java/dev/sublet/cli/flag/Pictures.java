package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.PlanResult;
import dev.sublet.ResultPictures;
import dev.sublet.TableResult;
import dev.sublet.TranspileResult;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.VisibleText;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.peak.SourceLine;
import dev.sublet.peak.TensorOrigin;
import dev.sublet.picture.Picture;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import java.nio.file.Path;

/** Pictures of the results of runs. The title of a picture is the name of the input file. */
public final class Pictures {

  private Pictures() {}

  /** Returns the control-flow graph of a program, which a picture needs. */
  public static ControlFlowGraph graph(Program program) {
    return ControlFlowGraph.build(program, OperatorCatalog.standard());
  }

  /** Draws the plan of an unchanged program. */
  public static Picture ofPlan(String source, PlanResult result) {
    return Picture.ofPlan(
        title(source),
        graph(result.facts().program()),
        result.plan(),
        origins(result.facts(), result.plan()));
  }

  /** Draws a plan with its program, without the kinds of variables. */
  public static Picture ofPlan(String source, ControlFlowGraph graph, MemoryPlan plan) {
    return Picture.ofPlan(title(source), graph, plan, ImmutableMap.of());
  }

  /** Draws a plan without its program. */
  public static Picture ofPlan(String source, MemoryPlan plan) {
    return Picture.ofPlan(title(source), plan);
  }

  /** Draws a rewrite. */
  public static Picture ofRewrite(String source, TranspileResult result) {
    return ResultPictures.ofRewrite(
        title(source), result, origins(result.facts().forOffsets(), result.plan()));
  }

  private static ImmutableMap<VariableId, Origin> origins(ProgramFacts facts, MemoryPlan plan) {
    ImmutableMap.Builder<VariableId, Origin> origins = ImmutableMap.builder();
    TensorOrigin.all(facts, plan)
        .forEach(
            (variable, origin) ->
                origins.put(
                    variable,
                    new Origin(
                        origin.kind().word(),
                        VisibleText.of(
                            origin
                                .source()
                                .map(line -> line.file() + ":" + line.line())
                                .orElse("")),
                        VisibleText.of(origin.source().map(SourceLine::text).orElse("")))));
    return origins.buildOrThrow();
  }

  /** Draws a table of buffers with the result of planning it. */
  public static Picture ofTable(String source, TableResult result) {
    return ResultPictures.ofTable(title(source), result);
  }

  /** Draws a table of buffers that has offsets. No lower bound is computed. */
  public static Picture ofTable(String source, BufferTable table) {
    long bytes = 0;
    ImmutableLongArray offsets = table.offsets();
    for (int i = 0; i < offsets.length(); i++) {
      bytes = Math.max(bytes, Math.addExact(offsets.get(i), table.rows().get(i).size()));
    }
    return Picture.ofTable(title(source), table, offsets, bytes, /* lowerBound= */ 0);
  }

  /**
   * Returns the file's name without its directory, which is not disclosed to readers of the
   * picture.
   */
  private static String title(String source) {
    return String.valueOf(Path.of(source).getFileName());
  }
}
