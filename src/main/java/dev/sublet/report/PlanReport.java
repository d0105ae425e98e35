package dev.sublet.report;

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
import dev.sublet.report.format.WrittenFile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The result of {@code plan}: how much memory the program needs before and after, how good the plan
 * is, and the outputs.
 *
 * @param result the plan and how it was found
 * @param options the options of the run
 * @param written the outputs
 * @param diagnostics the warnings and notes of the whole run, reading included
 */
public record PlanReport(
    PlanResult result,
    TranspileOptions options,
    ImmutableList<WrittenFile> written,
    ImmutableList<Diagnostic> diagnostics)
    implements Report {

  @Override
  public String text() {
    MemoryPlan plan = result.plan();
    Program program = result.facts().program();
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    table.row("operators", Quantity.count(program.operationCount()));
    table.row("variables", Quantity.count(program.variableCount()));
    PlanFacts.addRows(table, plan, options, result.nodes());
    table.row("planner", plan.planner());
    result.pathCoverBound().ifPresent(bound -> PlanFacts.addRow(table, bound));
    WrittenFile.addRows(table, written);
    return memory().text() + table;
  }

  private MemorySummary memory() {
    return new MemorySummary(
        result.facts(), MemoryNeeds.of(result.facts()), Optional.empty(), result.plan());
  }

  /** Lists every unplanned variable, with the reason. */
  @Override
  public String details() {
    return PlanFacts.unplannedList(result.plan());
  }

  @Override
  public String json() {
    JsonObject object = new JsonObject();
    addTo(object);
    return JsonText.print(object);
  }

  /** Adds the result to a JSON object. */
  void addTo(JsonObject object) {
    MemoryPlan plan = result.plan();
    Program program = result.facts().program();
    memory().addTo(object);
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
    WrittenFile.addTo(object, written);
    object.add("warnings", JsonText.diagnostics(diagnostics));
  }

  /** The memory that the planned variables need if they share no bytes. */
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
