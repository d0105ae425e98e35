package dev.sublet.report;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.ByteText;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.plan.Interval;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.LiveBytes;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The live ranges of variables. Each row is a web of a variable. Operators are given as node
 * numbers of the control-flow graph; node k reads at point 2k and writes at point 2k+1.
 *
 * @param analysis the program and the facts about it
 * @param variables the variables, by dense index, in the order of the rows
 * @param headline a line about the variables that are left out; empty if none are
 * @param ofAll whether the variables are chosen from all with live ranges, so that the report
 *     states the peak
 */
public record LivenessReport(
    ProgramFacts analysis, ImmutableList<Integer> variables, String headline, boolean ofAll)
    implements Report {

  /** Returns the report on some variables. */
  public static LivenessReport of(ProgramFacts analysis, ImmutableList<Integer> variables) {
    return new LivenessReport(analysis, variables, /* headline= */ "", /* ofAll= */ false);
  }

  /** Returns the report on the first variables in an order, of all that have live ranges. */
  public static LivenessReport ofAll(ProgramFacts analysis, LivenessOrder order, int top) {
    List<Integer> variables = new ArrayList<>();
    for (Variable variable : analysis.program().variables()) {
      if (analysis.liveness().ranges().hasRange(variable.index())) {
        variables.add(variable.index());
      }
    }
    ImmutableList<Integer> sorted = order.sorted(analysis, variables);
    if (sorted.size() <= top) {
      return new LivenessReport(analysis, sorted, /* headline= */ "", /* ofAll= */ true);
    }
    String headline = order.headline(top, sorted.size());
    return new LivenessReport(analysis, sorted.subList(0, top), headline, /* ofAll= */ true);
  }

  @Override
  public String text() {
    LiveRanges ranges = analysis.liveness().ranges();
    TextTable table =
        new TextTable(
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT);
    table.row(
        "block", "variable", "bytes", "web", "operators", "points", "first", "last", "observed");
    for (int variable : variables) {
      for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
        ImmutableList<Interval> intervals = ranges.intervals(web);
        addRow(
            table,
            variable,
            String.valueOf(web - ranges.firstWeb(variable)),
            operators(intervals),
            Joiner.on(' ').join(intervals),
            operator(firstNode(intervals.get(0))),
            operator(lastNode(intervals.get(intervals.size() - 1))));
      }
      if (!ranges.hasRange(variable)) {
        addRow(table, variable, "-", "-", "-", "-", "-");
      }
    }
    return headline + table + (ofAll ? peak() : "");
  }

  /** The first operator at which the most bytes are live. */
  private String peak() {
    LiveBytes bytes = LiveBytes.of(analysis);
    int node = bytes.peakNode();
    if (node < 0) {
      return "";
    }
    String peak =
        "most bytes live together: "
            + ByteText.exact(bytes.during(node))
            + ", first at operator "
            + node
            + ", "
            + points().operator(node);
    return bytes.unknown() == 0
        ? peak + "\n"
        : peak + "; not counting " + bytes.unknown() + " variables of unknown size\n";
  }

  private ProgramPoints points() {
    return new ProgramPoints(analysis.liveness().graph());
  }

  /** Returns block, index and type, for example {@code 0:3 relu}. */
  private String operator(int node) {
    Operation operation = analysis.liveness().graph().operation(node);
    return operation.block() + ":" + operation.index() + " " + operation.type();
  }

  private void addRow(TextTable table, int index, String... live) {
    Variable variable = analysis.program().variable(index);
    boolean known = analysis.sizes().isKnown(index);
    table.row(
        String.valueOf(variable.block()),
        Names.display(variable.name()),
        known ? Quantity.count(analysis.sizes().bytes(index)) : "?",
        live[0],
        live[1],
        live[2],
        live[3],
        live[4],
        analysis.liveness().observation().reason(index));
  }

  /** Returns the nodes in the intervals, for example {@code 2-5 8}. */
  private static String operators(List<Interval> intervals) {
    List<String> parts = new ArrayList<>();
    for (Interval interval : intervals) {
      int first = firstNode(interval);
      int last = lastNode(interval);
      parts.add(first == last ? String.valueOf(first) : first + "-" + last);
    }
    return String.join(" ", parts);
  }

  private static int firstNode(Interval interval) {
    return interval.begin() / 2;
  }

  private static int lastNode(Interval interval) {
    return (interval.end() - 1) / 2;
  }

  @Override
  public String json() {
    JsonArray array = new JsonArray();
    for (int index : variables) {
      JsonObject object = JsonText.variable(analysis.program().variable(index).id());
      if (analysis.sizes().isKnown(index)) {
        object.addProperty("bytes", analysis.sizes().bytes(index));
      } else {
        object.add("bytes", JsonNull.INSTANCE);
        object.addProperty("unknown", analysis.sizes().reason(index));
      }
      object.addProperty("seen_outside", analysis.liveness().observation().reason(index));
      object.add("webs", jsonWebs(index));
      array.add(object);
    }
    JsonObject object = new JsonObject();
    object.addProperty("end_point", analysis.liveness().ranges().endPoint());
    LiveBytes bytes = LiveBytes.of(analysis);
    if (ofAll && bytes.peakNode() >= 0) {
      JsonObject peak = points().json(bytes.peakNode());
      peak.addProperty("bytes", bytes.during(bytes.peakNode()));
      peak.addProperty("unknown_sizes", bytes.unknown());
      object.add("peak", peak);
    }
    object.add("variables", array);
    return JsonText.print(object);
  }

  private JsonArray jsonWebs(int variable) {
    LiveRanges ranges = analysis.liveness().ranges();
    JsonArray webs = new JsonArray();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      JsonArray intervals = new JsonArray();
      for (Interval interval : ranges.intervals(web)) {
        JsonObject object = new JsonObject();
        object.addProperty("begin", interval.begin());
        object.addProperty("end", interval.end());
        object.addProperty("first_node", firstNode(interval));
        object.addProperty("last_node", lastNode(interval));
        intervals.add(object);
      }
      webs.add(intervals);
    }
    return webs;
  }
}
