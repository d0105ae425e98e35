package dev.sublet.cli.flag;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.PlanResult;
import dev.sublet.ResultPictures;
import dev.sublet.TableResult;
import dev.sublet.TranspileResult;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.VisibleText;
import dev.sublet.diff.PlanDiff;
import dev.sublet.diff.PlanDifference;
import dev.sublet.diff.PlanDifference.AllocationChange;
import dev.sublet.diff.PlanDifference.Kind;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.peak.TensorOrigin;
import dev.sublet.picture.Picture;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.picture.Picture.PlanPair;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.SourceLine;
import dev.sublet.program.VariableId;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        origins(result.facts().liveness(), result.plan()));
  }

  /**
   * Draws a plan with its program. A plan does not say which variables were kept for its run: their
   * kinds are those of a run that keeps no more than the results.
   */
  public static Picture ofPlan(String source, ControlFlowGraph graph, MemoryPlan plan) {
    Liveness liveness = Liveness.analyze(graph, ObservationOptions.defaults(), new DiagnosticLog());
    return Picture.ofPlan(title(source), graph, plan, origins(liveness, plan));
  }

  /** Draws a plan without its program. */
  public static Picture ofPlan(String source, MemoryPlan plan) {
    return Picture.ofPlan(title(source), plan);
  }

  /** Draws a rewrite. */
  public static Picture ofRewrite(String source, TranspileResult result) {
    return ResultPictures.ofRewrite(
        title(source), result, origins(result.facts().forOffsets().liveness(), result.plan()));
  }

  private static ImmutableMap<VariableId, Origin> origins(Liveness liveness, MemoryPlan plan) {
    ImmutableMap.Builder<VariableId, Origin> origins = ImmutableMap.builder();
    TensorOrigin.all(liveness, plan)
        .forEach(
            (variable, origin) ->
                origins.put(
                    variable,
                    new Origin(
                        origin.kind().word(),
                        VisibleText.of(origin.source().map(SourceLine::place).orElse("")),
                        VisibleText.of(origin.source().map(SourceLine::text).orElse("")))));
    return origins.buildOrThrow();
  }

  /**
   * Draws two plans, with the changes of their allocations.
   *
   * @param graph the graph of the second plan's program, if it is known
   */
  public static Picture ofComparison(
      String before,
      MemoryPlan first,
      String after,
      MemoryPlan second,
      Optional<ControlFlowGraph> graph) {
    PlanDifference difference = PlanDiff.between(first, second);
    Map<VariableId, Origin> changes = new LinkedHashMap<>();
    for (AllocationChange change : difference.allocations()) {
      Allocation any = change.before().orElseGet(() -> change.after().orElseThrow());
      changes.putIfAbsent(any.variable(), changed(change.kinds()));
    }
    for (Allocation allocation : second.allocations()) {
      changes.putIfAbsent(allocation.variable(), new Origin("same", "", ""));
    }
    PlanPair comparison = new PlanPair(title(before), title(after), difference.facts());
    return Picture.ofComparison(comparison, first, second, graph, ImmutableMap.copyOf(changes));
  }

  /** The first change other than of the location, which says the least. */
  private static Origin changed(List<Kind> kinds) {
    for (Kind kind : kinds) {
      if (kind != Kind.MOVED) {
        boolean isElsewhen = kind == Kind.LIVE_ELSEWHEN;
        return new Origin(
            isElsewhen ? "live at other points" : Ascii.toLowerCase(kind.name()), "", "");
      }
    }
    return new Origin("moved", "", "");
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
