package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.VisibleText;
import dev.sublet.diff.ArenaCheck;
import dev.sublet.diff.ArenaCheck.Verdict;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.ArenaPeak;
import dev.sublet.offset.PeakTable;
import dev.sublet.peak.TensorOrigin;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.report.format.ArenaNames;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.WorkflowCommand;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The arenas that exceed limits: a headline per violation, then a table of the contents of the
 * arena at its peak. {@code ok} if all arenas are within the limits.
 *
 * @param plan the plan
 * @param check the result of the check
 * @param maxGrowth the allowed growth in percent
 * @param liveness of the plan's program, if the program is known
 */
public record CheckReport(
    MemoryPlan plan, ArenaCheck check, BigDecimal maxGrowth, Optional<Liveness> liveness)
    implements Report {

  private static final String OK = "ok\n";

  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : check.verdicts()) {
      ImmutableList<String> headlines = headlines(verdict);
      if (!headlines.isEmpty()) {
        for (String line : Iterables.concat(headlines, peak(verdict).lines())) {
          text.append(VisibleText.of(line)).append('\n');
        }
      }
    }
    return check.isOk() ? OK : text.toString();
  }

  /**
   * Returns the same as commands of GitHub's workflows: an annotation per violation, each with the
   * table. {@code ok} if all arenas are within the limits.
   *
   * @param file the name of the checked file in the annotations; empty for standard input
   */
  public String github(String file) {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : check.verdicts()) {
      for (String headline : headlines(verdict)) {
        String title = headline.substring(0, headline.indexOf(':'));
        List<String> message = new ArrayList<>();
        message.add(headline);
        message.addAll(peak(verdict).lines());
        text.append(WorkflowCommand.error(file, "Sublet: memory " + title, message));
      }
    }
    return check.isOk() ? OK : text.toString();
  }

  private PeakTable peak(Verdict verdict) {
    return peak(verdict.arena());
  }

  private PeakTable peak(int arena) {
    return PeakTable.of(
        plan,
        arena,
        liveness.map(Liveness::graph),
        allocation ->
            liveness.map(known -> TensorOrigin.kind(known, plan, allocation).word()).orElse(""));
  }

  /** The violations of an arena; none if it is within its limits. */
  private ImmutableList<String> headlines(Verdict verdict) {
    ImmutableList.Builder<String> headlines = ImmutableList.builder();
    Arena arena = plan.arenas().get(verdict.arena());
    String needs = ArenaNames.of(arena) + " needs " + Quantity.bytes(verdict.bytes());
    if (verdict.isTooLarge()) {
      long limit = verdict.limit().orElseThrow();
      headlines.add(
          "too large: "
              + needs
              + ", "
              + ByteText.times(verdict.bytes(), limit)
              + " the limit of "
              + Quantity.bytes(limit)
              + noPlanFits(arena.lowerBound(), limit));
    }
    if (verdict.hasGrownTooMuch()) {
      headlines.add("grown too much: " + needs + growth(verdict));
    }
    return headlines.build();
  }

  private static String noPlanFits(long least, long limit) {
    return least > limit ? "; no plan needs less than " + Quantity.bytes(least) : "";
  }

  private String growth(Verdict verdict) {
    long before = verdict.baseline().orElseThrow();
    return before == 0
        ? ", and is not in the baseline"
        : ", "
            + ByteText.times(verdict.bytes(), before)
            + " the "
            + Quantity.bytes(before)
            + " of the baseline; at most "
            + maxGrowth.toPlainString()
            + "% more are allowed, "
            + Quantity.count(verdict.limitByGrowth().orElseThrow())
            + " in all";
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
      entry.add("violations", JsonText.strings(headlines(verdict)));
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
    liveness.ifPresent(
        known -> object.add("operator", new ProgramPoints(known.graph()).jsonAt(peak.begin())));
    JsonArray live = new JsonArray();
    ImmutableList<PeakTable.Row> rows = peak(arena).rows();
    for (int i = 0; i < rows.size(); i++) {
      Allocation allocation = plan.allocations().get(peak.allocations().get(i));
      PeakTable.Row row = rows.get(i);
      JsonObject entry = JsonText.variable(allocation.variable());
      entry.addProperty("bytes", allocation.bytes());
      entry.addProperty("kind", row.kind().isEmpty() ? null : row.kind());
      entry.add("source", JsonText.source(row.source()));
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
