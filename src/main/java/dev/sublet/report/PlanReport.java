package dev.sublet.report;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of {@code plan}. "Bytes as saved" is the memory that the planned variables need if
 * they share no bytes.
 *
 * @param program the program that was planned
 * @param result the plan and how it was found
 * @param options the options of the run
 * @param diagnostics the warnings and notes of the whole run, reading included
 */
public record PlanReport(
    Program program,
    PlanResult result,
    TranspileOptions options,
    ImmutableList<Diagnostic> diagnostics)
    implements Report {

  public PlanReport {
    requireNonNull(program, "program");
    requireNonNull(result, "result");
    requireNonNull(options, "options");
    requireNonNull(diagnostics, "diagnostics");
  }

  @Override
  public String text() {
    MemoryPlan plan = result.plan();
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    table.row("operators", Quantity.count(program.operationCount()));
    table.row("variables", Quantity.count(program.variableCount()));
    table.row("bytes as saved", Quantity.bytes(naiveBytes(plan)));
    PlanFacts.addRows(table, plan, options, result.nodes());
    table.row("planner", plan.planner());
    result.pathCoverBound().ifPresent(bound -> PlanFacts.addRow(table, bound));
    return table + PlanFacts.unplannedCounts(plan);
  }

  /** Lists every unplanned variable, with the reason. */
  @Override
  public String details() {
    return PlanFacts.unplannedList(result.plan());
  }

  @Override
  public String json() {
    MemoryPlan plan = result.plan();
    JsonObject object = new JsonObject();
    object.addProperty("operators", program.operationCount());
    object.addProperty("variables", program.variableCount());
    object.addProperty("naive_bytes", naiveBytes(plan));
    PlanFacts.addJson(object, plan, options, result.nodes());
    object.addProperty("planner", plan.planner());
    result
        .pathCoverBound()
        .ifPresent(bound -> object.add("path_cover_bound", PlanFacts.pathCoverBound(bound)));
    object.addProperty("batch", plan.batch());
    object.add("arenas", PlanFacts.arenas(plan));
    object.add("unplanned", JsonText.unplanned(plan.unplanned()));
    object.add("warnings", JsonText.diagnostics(diagnostics));
    return JsonText.print(object);
  }

  private static long naiveBytes(MemoryPlan plan) {
    Map<VariableId, Long> largest = new LinkedHashMap<>();
    for (Allocation allocation : plan.allocations()) {
      largest.merge(allocation.variable(), allocation.bytes(), Math::max);
    }
    long sum = 0;
    for (long bytes : largest.values()) {
      sum += bytes;
    }
    return sum;
  }
}
