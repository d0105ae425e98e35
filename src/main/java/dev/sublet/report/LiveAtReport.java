package dev.sublet.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ByteText;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.peak.TensorOrigin;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.SourceLine;
import dev.sublet.program.Variable;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.LiveBytes;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TensorShapes;
import dev.sublet.report.format.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The variables that are live at an operator: before it or after it, whichever is more bytes.
 *
 * @param analysis the program and the facts about it
 * @param node the operator, by its number in the control-flow graph
 * @param order the order of the rows
 * @param top the maximum number of rows
 */
public record LiveAtReport(ProgramFacts analysis, int node, LivenessOrder order, int top)
    implements Report {

  /** A variable that is live at the operator, by dense index, and its web that is live there. */
  private record Row(int variable, int web) {}

  /** The point at which the most bytes are live during the operator. */
  private int point(LiveBytes bytes) {
    return bytes.at(2 * node) >= bytes.at(2 * node + 1) ? 2 * node : 2 * node + 1;
  }

  /** Returns all variables that are live at a point, in order. O(variables × log). */
  private List<Row> rows(int point) {
    LiveRanges ranges = analysis.liveness().ranges();
    List<Integer> live = new ArrayList<>();
    for (Variable variable : analysis.program().variables()) {
      if (webAt(ranges, variable.index(), point) >= 0) {
        live.add(variable.index());
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int variable : order.sorted(analysis, live)) {
      rows.add(new Row(variable, webAt(ranges, variable, point)));
    }
    return rows;
  }

  private static int webAt(LiveRanges ranges, int variable, int point) {
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      if (ranges.contains(web, point)) {
        return web;
      }
    }
    return -1;
  }

  @Override
  public String text() {
    LiveBytes bytes = LiveBytes.of(analysis);
    int point = point(bytes);
    List<Row> rows = rows(point);
    TextTable table =
        new TextTable(
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT);
    table.row(
        "bytes",
        "share",
        "kind",
        "block",
        "variable",
        "type",
        "live",
        "written by",
        "last read by",
        "observed",
        "source");
    for (Row row : rows.subList(0, Math.min(top, rows.size()))) {
      addRow(table, row, bytes.at(point));
    }
    String left = rows.size() <= top ? "" : order.headline(top, rows.size());
    return headline(bytes, point, rows.size()) + "\n" + left + table;
  }

  private String headline(LiveBytes bytes, int point, int count) {
    ProgramPoints points = new ProgramPoints(analysis.liveness().graph());
    int peak = bytes.peakNode();
    String most = peak == node ? "; this is the peak\n" : "; the peak is " + peak(bytes) + "\n";
    String unknown =
        bytes.unknown() == 0
            ? ""
            : "; not counting " + bytes.unknown() + " variables of unknown size";
    return "operator "
        + node
        + ", "
        + points.operator(node)
        + ": "
        + ByteText.inWords(bytes.at(point))
        + " live "
        + (point % 2 == 0 ? "before" : "after")
        + " it, in "
        + Quantity.count(count)
        + (count == 1 ? " variable" : " variables")
        + unknown
        + most;
  }

  private static String peak(LiveBytes bytes) {
    return ByteText.inWords(bytes.during(bytes.peakNode())) + ", at operator " + bytes.peakNode();
  }

  private void addRow(TextTable table, Row row, long total) {
    LiveRanges ranges = analysis.liveness().ranges();
    Variable variable = analysis.program().variable(row.variable());
    boolean isKnown = analysis.sizes().isKnown(row.variable());
    long size = isKnown ? analysis.sizes().bytes(row.variable()) : 0;
    double share = total == 0 ? 0 : 100.0 * size / total;
    TensorOrigin origin = TensorOrigin.of(analysis.liveness(), row.variable());
    table.row(
        isKnown ? Quantity.bytes(size) : "?",
        isKnown ? String.format(Locale.ROOT, "%.1f %%", share) : "?",
        origin.kind().word(),
        String.valueOf(variable.block()),
        Names.display(variable.name()),
        TensorShapes.of(analysis, variable),
        ranges.firstPoint(row.web()) / 2 + "-" + (ranges.lastPoint(row.web()) - 1) / 2,
        operator(ranges.firstPoint(row.web())),
        operator(ranges.lastPoint(row.web()) - 1),
        analysis.liveness().observation().reason(row.variable()),
        origin.source().map(SourceLine::words).orElse(""));
  }

  /** The operator of a point, such as {@code 3:12 conv2d} in block 3. */
  private String operator(int point) {
    ControlFlowGraph graph = analysis.liveness().graph();
    Operation operation = graph.operation(Math.min(point / 2, graph.nodeCount() - 1));
    return operation.block() + ":" + operation.index() + " " + operation.type();
  }

  @Override
  public String json() {
    LiveBytes bytes = LiveBytes.of(analysis);
    int point = point(bytes);
    ProgramPoints points = new ProgramPoints(analysis.liveness().graph());
    JsonObject object = points.json(node);
    object.addProperty("point", point);
    object.addProperty("bytes", bytes.at(point));
    object.addProperty("unknown_sizes", bytes.unknown());
    JsonObject peak = points.json(bytes.peakNode());
    peak.addProperty("bytes", bytes.during(bytes.peakNode()));
    object.add("peak", peak);
    List<Row> rows = rows(point);
    object.addProperty("left_out", Math.max(0, rows.size() - top));
    JsonArray variables = new JsonArray();
    for (Row row : rows.subList(0, Math.min(top, rows.size()))) {
      JsonObject entry = JsonText.variable(analysis.program().variable(row.variable()).id());
      if (analysis.sizes().isKnown(row.variable())) {
        entry.addProperty("bytes", analysis.sizes().bytes(row.variable()));
      } else {
        entry.add("bytes", JsonNull.INSTANCE);
      }
      TensorOrigin origin = TensorOrigin.of(analysis.liveness(), row.variable());
      entry.addProperty("kind", origin.kind().word());
      entry.add("source", JsonText.source(origin.source()));
      entry.add("live", points.json(analysis.liveness().ranges().intervals(row.web())));
      variables.add(entry);
    }
    object.add("variables", variables);
    return JsonText.print(object);
  }
}
