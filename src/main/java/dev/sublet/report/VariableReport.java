package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.Explanation;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.VisibleText;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.program.Names;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.List;

/**
 * The facts about some variables: type and size, live ranges, the variables with which they share a
 * name or bytes, and if there are none, the reason.
 *
 * @param explanation the facts about the program
 * @param variables the variables, by dense index, in the order in which they are shown
 * @param namesAreFixed whether variables cannot share names at all, as in an ONNX model, in which
 *     each value has one writer
 */
public record VariableReport(
    Explanation explanation, ImmutableList<Integer> variables, boolean namesAreFixed)
    implements Report {

  @Override
  public String text() {
    List<String> texts = new ArrayList<>();
    for (int variable : variables) {
      texts.add(text(variable));
    }
    return String.join("\n", texts);
  }

  private String text(int index) {
    Variable variable = analysis().program().variable(index);
    Lines lines = new Lines();
    addFacts(variable, lines);
    LiveRanges ranges = analysis().liveness().ranges();
    ProgramPoints points = new ProgramPoints(analysis().liveness().graph());
    for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
      lines.add("live", points.describe(ranges.intervals(web)));
    }
    if (!ranges.hasRange(index)) {
      lines.add("live", variable.isPersistable() ? "always: it is kept between runs" : "nowhere");
    }
    new LoopFacts(explanation, index).addTo(lines);
    if (namesAreFixed) {
      lines.add("name", "its own: the values of an ONNX model have one writer each");
    } else {
      new NameFacts(explanation, index).addTo(lines);
    }
    new ByteFacts(explanation, index).addTo(lines);
    String title = "block " + variable.block() + ", " + Names.display(variable.name());
    return VisibleText.of(title) + "\n" + lines;
  }

  private void addFacts(Variable variable, Lines lines) {
    int index = variable.index();
    ProgramFacts facts = analysis();
    lines.add("type", declared(variable));
    if (facts.sizes().isKnown(index)) {
      lines.add("bytes", bytes(variable, facts.sizes()));
    } else {
      lines.add("bytes", "unknown: " + facts.sizes().reason(index));
    }
    lines.add("place", facts.places().place(index));
    if (facts.lod().carries(index)) {
      lines.add("LoD", "may carry sequence information");
    }
    String observed = facts.liveness().observation().reason(index);
    if (!observed.isEmpty()) {
      lines.add("observed", observed);
    }
  }

  private static String declared(Variable variable) {
    return variable
        .tensorType()
        .map(TensorType::toString)
        .orElse(Ascii.toLowerCase(variable.kind().name()).replace('_', ' '));
  }

  private ProgramFacts analysis() {
    return explanation.analysis();
  }

  @Override
  public String json() {
    JsonArray array = new JsonArray();
    for (int variable : variables) {
      array.add(json(variable));
    }
    JsonObject object = new JsonObject();
    object.add("variables", array);
    object.add("warnings", JsonText.diagnostics(explanation.diagnostics()));
    return JsonText.print(object);
  }

  /**
   * The bytes of a variable of known size: {@code 96, as [2, 12]}; of an array, {@code at most 168,
   * as 21 slots of [1]}.
   */
  private static String bytes(Variable variable, Sizes sizes) {
    int index = variable.index();
    boolean isArray = variable.kind() == Variable.Kind.TENSOR_ARRAY;
    String slots = isArray ? Quantity.count(sizes.slots(index)) + " slots of " : "";
    return (sizes.isBound(index) ? "at most " : "")
        + Quantity.bytes(sizes.bytes(index))
        + ", as "
        + (isArray && sizes.slots(index) == 1 ? "1 slot of " : slots)
        + sizes.dims(index);
  }

  private JsonObject json(int index) {
    Variable variable = analysis().program().variable(index);
    JsonObject object = JsonText.variable(variable.id());
    object.addProperty("type", declared(variable));
    if (analysis().sizes().isKnown(index)) {
      object.addProperty("bytes", analysis().sizes().bytes(index));
      object.addProperty("bytes_are_bound", analysis().sizes().isBound(index));
      JsonArray dims = new JsonArray();
      analysis().sizes().dims(index).forEach(dims::add);
      object.add("dims", dims);
      if (variable.kind() == Variable.Kind.TENSOR_ARRAY) {
        object.addProperty("slots", analysis().sizes().slots(index));
      }
    } else {
      object.add("bytes", JsonNull.INSTANCE);
      object.addProperty("unknown", analysis().sizes().reason(index));
    }
    object.addProperty("place", analysis().places().place(index));
    object.addProperty("may_carry_lod", analysis().lod().carries(index));
    object.addProperty("seen_outside", analysis().liveness().observation().reason(index));
    LiveRanges ranges = analysis().liveness().ranges();
    ProgramPoints points = new ProgramPoints(analysis().liveness().graph());
    JsonArray webs = new JsonArray();
    for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
      webs.add(points.json(ranges.intervals(web)));
    }
    object.add("webs", webs);
    object.add("carries", new LoopFacts(explanation, index).json());
    if (!namesAreFixed) {
      object.add("name", new NameFacts(explanation, index).json());
    }
    object.add("plan", new ByteFacts(explanation, index).json());
    return object;
  }

  /** Lines with labels; a label that repeats is shown only in the first line. */
  static final class Lines {

    private final TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    private String last = "";

    void add(String label, String words) {
      table.row("  " + (label.equals(last) ? "" : label), words);
      last = label;
    }

    @Override
    public String toString() {
      return table.toString();
    }
  }
}
