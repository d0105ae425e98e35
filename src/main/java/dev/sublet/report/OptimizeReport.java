package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.ReasonCounts;
import dev.sublet.report.format.ReasonList;
import dev.sublet.report.format.TextTable;
import dev.sublet.report.format.WrittenFile;
import dev.sublet.sharing.LeftAlone;
import dev.sublet.sharing.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of {@code optimize}: how much memory the program needs before and after, how good the
 * plan of the rewritten program is, and the outputs.
 *
 * @param result the result
 * @param options the options of the run
 * @param comparisons the figures that the result is compared with
 * @param written the outputs
 * @param diagnostics the warnings and notes of the whole run, reading and writing included
 */
public record OptimizeReport(
    TranspileResult result,
    TranspileOptions options,
    Comparisons comparisons,
    ImmutableList<WrittenFile> written,
    ImmutableList<Diagnostic> diagnostics)
    implements Report {

  /**
   * The figures with which the report compares a result: what the program needs as it is saved, and
   * what its names take with {@code --fusion off}. They do not depend on the outputs, so they can
   * be computed while these are written.
   */
  public static final class Comparisons {

    /** The maximum number of operators for which the cost of graph passes is computed. */
    private static final int MOST_OPERATORS = 20_000;

    private final MemoryNeeds needs;

    /**
     * The bytes of the names with {@code --fusion off}; empty if they were not computed, because
     * they are the same by definition or the program is large.
     */
    private final OptionalLong fusionOffBytes;

    private Comparisons(MemoryNeeds needs, OptionalLong fusionOffBytes) {
      this.needs = needs;
      this.fusionOffBytes = fusionOffBytes;
    }

    /**
     * Computes the figures. O(n log n) in arguments, beside Paddle's pass; up to {@link
     * #MOST_OPERATORS} operators, names are shared once more.
     */
    public static Comparisons of(TranspileResult result, TranspileOptions options) {
      boolean isShared =
          isCostOfGraphPassesKnown(result, options)
              && result.original().operationCount() <= MOST_OPERATORS;
      return isShared
          ? new Comparisons(
              MemoryNeeds.of(result.facts()),
              OptionalLong.of(result.sharedBytesWithFusionOff(options)))
          : withoutFusionOff(result);
    }

    /** The figures if names are not shared once more. */
    static Comparisons withoutFusionOff(TranspileResult result) {
      return new Comparisons(MemoryNeeds.of(result.facts()), OptionalLong.empty());
    }

    /** Whether names differ with {@code --fusion off} only because of the graph passes. */
    static boolean isCostOfGraphPassesKnown(TranspileResult result, TranspileOptions options) {
      return options.isForGraphPasses() && !result.sharing().isLimited();
    }
  }

  @Override
  public String text() {
    Sharing sharing = result.sharing();
    MemoryPlan plan = result.plan();
    Program before = result.original();
    Program after = result.program();
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    table.row("operators", change(before.operationCount(), after.operationCount()));
    table.row("variables", change(before.variableCount(), after.variableCount()));
    if (sharing.openBefore() > 0) {
      table.row("of unknown size", change(sharing.openBefore(), sharing.openAfter()));
    }
    if (Comparisons.isCostOfGraphPassesKnown(result, options)) {
      addCostOfGraphPasses(table);
    }
    PlanFacts.addRows(table, plan, options, result.nodes());
    table.row("policy used", sharing.policy());
    table.row("planner", plan.planner());
    WrittenFile.addRows(table, written);
    List<String> reasons = new ArrayList<>();
    for (LeftAlone leftAlone : sharing.leftAlone()) {
      reasons.add(leftAlone.reason());
    }
    return memory().text() + table + ReasonCounts.text("left alone", reasons);
  }

  private MemorySummary memory() {
    return new MemorySummary(
        result.facts(), comparisons.needs, Optional.of(result.sharing()), result.plan());
  }

  private static String change(int before, int after) {
    return before == after
        ? Quantity.count(before)
        : Quantity.count(before) + " before, " + Quantity.count(after) + " after";
  }

  private void addCostOfGraphPasses(TextTable table) {
    long bytes = result.sharing().bytesAfter();
    OptionalLong fusionOffBytes = comparisons.fusionOffBytes;
    if (fusionOffBytes.isEmpty()) {
      table.row(
          "with --fusion off",
          "not computed for more than "
              + Quantity.count(Comparisons.MOST_OPERATORS)
              + " operators");
    } else if (fusionOffBytes.getAsLong() != bytes) {
      table.row(
          "with --fusion off",
          Quantity.bytes(fusionOffBytes.getAsLong())
              + ", "
              + Quantity.ratio(fusionOffBytes.getAsLong(), bytes)
              + " of the bytes with shared names");
    }
  }

  /** Lists every renaming, then every variable left alone or unplanned, with the reason. */
  @Override
  public String details() {
    ReasonList renamings = new ReasonList("renamed variables:");
    for (Map.Entry<VariableId, VariableId> renaming : result.sharing().renamings().entrySet()) {
      renamings.add(renaming.getKey(), "to " + Names.display(renaming.getValue().name()));
    }
    ReasonList leftAlone = new ReasonList("variables left alone:");
    for (LeftAlone entry : result.sharing().leftAlone()) {
      leftAlone.add(entry.variable(), entry.reason());
    }
    return renamings.toString() + leftAlone + PlanFacts.unplannedList(result.plan());
  }

  @Override
  public String json() {
    Sharing sharing = result.sharing();
    MemoryPlan plan = result.plan();
    JsonObject object = new JsonObject();
    memory().addTo(object);
    object.addProperty("operators", result.original().operationCount());
    object.addProperty("operators_after", result.program().operationCount());
    object.addProperty("variables_before", result.original().variableCount());
    object.addProperty("variables_after", result.program().variableCount());
    object.addProperty("naive_bytes", result.bytesBefore());
    object.addProperty("shared_bytes", sharing.bytesAfter());
    comparisons.fusionOffBytes.ifPresent(
        bytes -> object.addProperty("shared_bytes_fusion_off", bytes));
    object.addProperty("unknown_before", sharing.openBefore());
    object.addProperty("unknown_after", sharing.openAfter());
    PlanFacts.addJson(object, plan, options, result.nodes());
    object.addProperty("policy", sharing.policy());
    object.addProperty("planner", plan.planner());
    object.addProperty("batch", plan.batch());
    object.add("arenas", PlanFacts.arenas(plan));
    object.add("unplanned", JsonText.unplanned(plan.unplanned()));
    JsonArray leftAlone = new JsonArray();
    for (LeftAlone entry : sharing.leftAlone()) {
      leftAlone.add(JsonText.reason(entry.variable(), entry.reason()));
    }
    object.add("left_alone", leftAlone);
    object.add("renamings", renamings(sharing));
    WrittenFile.addTo(object, written);
    object.add("warnings", JsonText.diagnostics(diagnostics));
    return JsonText.print(object);
  }

  private static JsonArray renamings(Sharing sharing) {
    JsonArray array = new JsonArray();
    for (Map.Entry<VariableId, VariableId> renaming : sharing.renamings().entrySet()) {
      JsonObject object = JsonText.variable(renaming.getKey());
      object.addProperty("to", Names.display(renaming.getValue().name()));
      array.add(object);
    }
    return array;
  }
}
