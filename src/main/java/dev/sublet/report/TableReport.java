package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import dev.sublet.TableResult;
import dev.sublet.diag.Diagnostic;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.PathCoverBound;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.LeftToGain;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;

/**
 * The result of {@code plan} for a table of buffers.
 *
 * @param result the offsets
 * @param options the planner and its budget
 * @param elapsedMillis the duration of planning in milliseconds; {@link #NOT_WANTED} if it is not
 *     to be reported
 * @param diagnostics the warnings and notes of the whole run, reading included
 */
public record TableReport(
    TableResult result,
    OffsetOptions options,
    double elapsedMillis,
    ImmutableList<Diagnostic> diagnostics)
    implements Report {

  /** The value that means: do not report the duration. */
  public static final double NOT_WANTED = -1;

  private static final PathCoverBound NO_DATA_FLOW =
      PathCoverBound.none("no data flow in a table of buffers");

  @Override
  public String text() {
    Placement placement = result.placement();
    long bytes = placement.arenaBytes();
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    table.row("buffers", Quantity.count(result.table().rows().size()));
    table.row("bytes of all", Quantity.bytes(bytesOfAll()));
    table.row("arena", Quantity.bytes(bytes));
    table.row("lower bound", Quantity.bytes(placement.lowerBound()));
    table.row("arena ÷ lower bound", Quantity.ratio(bytes, placement.lowerBound()));
    table.row("proved optimal", Quantity.yesOrNo(placement.isProvedOptimal()));
    leftToGain().addTo(table);
    PlanFacts.addNodes(table, placement.nodes());
    table.row("validated", "yes");
    table.row("planner", placement.planner());
    if (placement.planner().equals(Planners.PATH_COVER)) {
      PlanFacts.addRow(table, NO_DATA_FLOW);
    }
    return table.toString();
  }

  private LeftToGain leftToGain() {
    Placement placement = result.placement();
    return LeftToGain.ofTable(placement.arenaBytes(), placement.lowerBound(), options);
  }

  /**
   * The sum of all sizes. It does not overflow, because the planner rejects sizes whose sum exceeds
   * 63 bits.
   */
  private long bytesOfAll() {
    long sum = 0;
    for (BufferTable.Row row : result.table().rows()) {
      sum += row.size();
    }
    return sum;
  }

  @Override
  public String json() {
    Placement placement = result.placement();
    JsonObject object = new JsonObject();
    object.addProperty("planner", placement.planner());
    if (placement.planner().equals(Planners.PATH_COVER)) {
      object.add("path_cover_bound", PlanFacts.pathCoverBound(NO_DATA_FLOW));
    }
    object.addProperty("buffers", result.table().rows().size());
    object.addProperty("arena_bytes", placement.arenaBytes());
    object.addProperty("lower_bound", placement.lowerBound());
    object.addProperty("proved_optimal", placement.isProvedOptimal());
    leftToGain().addTo(object);
    object.addProperty("nodes", placement.nodes());
    if (elapsedMillis != NOT_WANTED) {
      object.addProperty("elapsed_ms", Math.round(elapsedMillis * 1000) / 1000.0);
    }
    object.add("warnings", JsonText.diagnostics(diagnostics));
    return JsonText.print(object);
  }
}
