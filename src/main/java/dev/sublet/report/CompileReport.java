package dev.sublet.report;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import dev.sublet.TranspileOptions;
import dev.sublet.compile.CompiledModel;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import dev.sublet.report.format.WrittenFile;

/**
 * The result of {@code compile}: how much memory the C code needs, how good the plan is, and the
 * files.
 *
 * @param model the compiled model
 * @param options the options of the plan
 * @param written the files
 * @param diagnostics the warnings and notes of the whole run, reading included
 */
public record CompileReport(
    CompiledModel model,
    TranspileOptions options,
    ImmutableList<WrittenFile> written,
    ImmutableList<Diagnostic> diagnostics)
    implements Report {

  public CompileReport {
    requireNonNull(model, "model");
    requireNonNull(options, "options");
    requireNonNull(written, "written");
    requireNonNull(diagnostics, "diagnostics");
  }

  @Override
  public String text() {
    MemoryPlan plan = model.plan().plan();
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    table.row("arena", Quantity.bytes(plan.arenaBytes()));
    table.row("constants", Quantity.bytes(model.weightBytes()));
    table.row("C code", Quantity.bytes(model.codeBytes()));
    table.row("functions", Quantity.count(model.functions()));
    table.row("calls", Quantity.count(model.calls()));
    PlanFacts.addRows(table, plan, options, model.plan().nodes());
    table.row("planner", plan.planner());
    WrittenFile.addRows(table, written);
    return table.toString();
  }

  /** Lists every variable without a place in the arena, with the reason. */
  @Override
  public String details() {
    return PlanFacts.unplannedList(model.plan().plan());
  }

  @Override
  public String json() {
    MemoryPlan plan = model.plan().plan();
    JsonObject object = new JsonObject();
    PlanFacts.addJson(object, plan, options, model.plan().nodes());
    object.addProperty("constant_bytes", model.weightBytes());
    object.addProperty("code_bytes", model.codeBytes());
    object.addProperty("functions", model.functions());
    object.addProperty("calls", model.calls());
    object.addProperty("planner", plan.planner());
    object.add("arenas", PlanFacts.arenas(plan));
    WrittenFile.addTo(object, written);
    object.add("warnings", JsonText.diagnostics(diagnostics));
    return JsonText.print(object);
  }
}
