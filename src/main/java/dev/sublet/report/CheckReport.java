package dev.sublet.report;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.VisibleText;
import dev.sublet.diff.ArenaCheck;
import dev.sublet.diff.ArenaCheck.Verdict;
import dev.sublet.offset.ArenaPeak;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.report.format.ArenaNames;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The arenas that exceed limits, one violation per line. Each line describes the peak of the arena:
 * where the most bytes are occupied, and the largest variables there. {@code ok} if all arenas are
 * within the limits.
 *
 * @param plan the plan
 * @param check the result of the check
 * @param maxGrowth the allowed growth in percent
 * @param graph the control-flow graph of the plan's program, if the program is known
 */
public record CheckReport(
    MemoryPlan plan, ArenaCheck check, BigDecimal maxGrowth, Optional<ControlFlowGraph> graph)
    implements Report {

  /** The greatest number of variables live at the peak that are named in text. */
  private static final int MOST_NAMED = 5;

  public CheckReport {
    requireNonNull(plan, "plan");
    requireNonNull(check, "check");
    requireNonNull(maxGrowth, "maxGrowth");
    requireNonNull(graph, "graph");
  }

  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : check.verdicts()) {
      if (verdict.isTooLarge()) {
        long limit = verdict.limit().orElseThrow();
        addLine(
            verdict,
            more(verdict, limit)
                + " more than the limit of "
                + Quantity.bytes(limit)
                + noPlanFits(verdict, limit),
            text);
      }
      if (verdict.hasGrownTooMuch()) {
        addLine(verdict, growth(verdict), text);
      }
    }
    return check.isOk() ? "ok\n" : text.toString();
  }

  private String noPlanFits(Verdict verdict, long limit) {
    long least = plan.arenas().get(verdict.arena()).lowerBound();
    return least > limit ? "; no plan needs less than " + Quantity.count(least) : "";
  }

  private static String more(Verdict verdict, long limit) {
    return Quantity.count(verdict.bytes() - limit);
  }

  private String growth(Verdict verdict) {
    long before = verdict.baseline().orElseThrow();
    return before == 0
        ? "not in the baseline"
        : more(verdict, before)
            + " more than the "
            + Quantity.bytes(before)
            + " of the baseline; at most "
            + maxGrowth.toPlainString()
            + "% more are allowed, "
            + Quantity.count(verdict.limitByGrowth().orElseThrow())
            + " in all";
  }

  private void addLine(Verdict verdict, String why, StringBuilder text) {
    String line =
        ArenaNames.of(plan.arenas().get(verdict.arena()))
            + ": "
            + Quantity.bytes(verdict.bytes())
            + ", "
            + why
            + "; "
            + peak(verdict.arena());
    text.append(VisibleText.of(line)).append('\n');
  }

  private String peak(int arena) {
    ArenaPeak peak = ArenaPeak.of(plan, arena);
    List<String> names = new ArrayList<>();
    for (int index : peak.allocations()) {
      if (names.size() < MOST_NAMED) {
        Allocation allocation = plan.allocations().get(index);
        names.add(
            "'"
                + Names.display(allocation.variable().name())
                + "' ("
                + Quantity.count(allocation.bytes())
                + ")");
      }
    }
    int more = peak.allocations().size() - names.size();
    return "the peak, "
        + Quantity.count(peak.bytes())
        + ", is at "
        + at(peak)
        + " with "
        + String.join(", ", names)
        + (more > 0 ? " and " + Quantity.count(more) + " more" : "");
  }

  /** The operator at the peak; only its number if the program is unknown. */
  private String at(ArenaPeak peak) {
    return graph.isPresent()
        ? new ProgramPoints(graph.get()).at(peak.begin())
        : "operator " + peak.begin() / 2 + " in nesting order";
  }

  @Override
  public String json() {
    JsonArray arenas = new JsonArray();
    for (Verdict verdict : check.verdicts()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("arena", ArenaNames.of(plan.arenas().get(verdict.arena())));
      entry.addProperty("bytes", verdict.bytes());
      entry.addProperty("lower_bound", plan.arenas().get(verdict.arena()).lowerBound());
      addNumber(entry, "limit", verdict.limit());
      addNumber(entry, "baseline_bytes", verdict.baseline());
      addNumber(entry, "limit_by_growth", verdict.limitByGrowth());
      entry.addProperty("too_large", verdict.isTooLarge());
      entry.addProperty("grown_too_much", verdict.hasGrownTooMuch());
      entry.add("peak", jsonPeak(verdict.arena()));
      arenas.add(entry);
    }
    JsonObject object = new JsonObject();
    object.addProperty("ok", check.isOk());
    object.addProperty("max_growth_percent", maxGrowth);
    object.add("arenas", arenas);
    return JsonText.print(object);
  }

  private JsonObject jsonPeak(int arena) {
    ArenaPeak peak = ArenaPeak.of(plan, arena);
    JsonObject object = new JsonObject();
    object.addProperty("bytes", peak.bytes());
    object.addProperty("begin", peak.begin());
    object.addProperty("end", peak.end());
    graph.ifPresent(known -> object.add("operator", new ProgramPoints(known).jsonAt(peak.begin())));
    JsonArray live = new JsonArray();
    for (int index : peak.allocations()) {
      Allocation allocation = plan.allocations().get(index);
      JsonObject entry = JsonText.variable(allocation.variable());
      entry.addProperty("bytes", allocation.bytes());
      live.add(entry);
    }
    object.add("live", live);
    return object;
  }

  private static void addNumber(JsonObject object, String key, OptionalLong number) {
    if (number.isPresent()) {
      object.addProperty(key, number.getAsLong());
    } else {
      object.add(key, JsonNull.INSTANCE);
    }
  }
}
