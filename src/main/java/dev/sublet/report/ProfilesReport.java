package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import dev.sublet.report.format.WrittenFile;

/**
 * The result of {@code plan --shape-profile}: a plan for each of several sets of shapes.
 *
 * <pre>
 *   profile       arena  lower bound  proved optimal  not planned
 *   min       1,048,576    1,048,576  yes                       0
 *   max       4,194,304    4,194,304  yes                       0
 * </pre>
 *
 * @param profiles the plans, in the order of the command line
 */
public record ProfilesReport(ImmutableList<Profile> profiles) implements Report {

  /**
   * The plan for one set of shapes.
   *
   * @param name the name of the profile
   * @param plan its plan, with the files that were written
   */
  public record Profile(String name, PlanReport plan) {}

  @Override
  public String text() {
    TextTable table =
        new TextTable(
            TextTable.Column.TEXT,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT);
    table.row("profile", "arena", "lower bound", "proved optimal", "not planned", "");
    for (Profile profile : profiles) {
      MemoryPlan plan = profile.plan().result().plan();
      ImmutableList<WrittenFile> written = profile.plan().written();
      table.row(
          profile.name(),
          Quantity.count(plan.arenaBytes()),
          Quantity.count(plan.lowerBound()),
          Quantity.yesOrNo(plan.isProvedOptimal()),
          Quantity.count(plan.unplanned().stream().filter(Unplanned::needsMemory).count()),
          written.isEmpty() ? "" : written.get(0).target());
    }
    return table.toString();
  }

  /** Lists the unplanned variables of each profile, with the reason. */
  @Override
  public String details() {
    StringBuilder text = new StringBuilder();
    for (Profile profile : profiles) {
      String details = profile.plan().details();
      if (!details.isEmpty()) {
        text.append(profile.name()).append(":\n").append(details);
      }
    }
    return text.toString();
  }

  @Override
  public String json() {
    JsonArray array = new JsonArray();
    for (Profile profile : profiles) {
      JsonObject object = new JsonObject();
      object.addProperty("profile", profile.name());
      profile.plan().addTo(object);
      array.add(object);
    }
    JsonObject all = new JsonObject();
    all.add("profiles", array);
    return JsonText.print(all);
  }
}
