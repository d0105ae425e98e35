package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.program.Names;
import dev.sublet.program.Variable;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TensorShapes;
import dev.sublet.report.format.TextTable;
import java.util.List;

/** The feeds and results of a program, with their types and shapes. */
final class Signature {

  /** The greatest number of feeds, and of results, in text. */
  private static final int MOST_SHOWN = 20;

  private final ProgramFacts analysis;

  Signature(ProgramFacts analysis) {
    this.analysis = analysis;
  }

  /** Returns the dense tensors of a role, in the order of declaration. O(variables). */
  private ImmutableList<Variable> tensors(ProgramCensus.Role role) {
    ImmutableList.Builder<Variable> tensors = ImmutableList.builder();
    for (Variable variable : analysis.program().variables()) {
      if (variable.kind() == Variable.Kind.TENSOR
          && ProgramCensus.Role.of(variable, analysis.liveness().observation()) == role) {
        tensors.add(variable);
      }
    }
    return tensors.build();
  }

  /** Returns the first feeds and results, and the numbers of the others. */
  String text() {
    ImmutableList<Variable> feeds = tensors(ProgramCensus.Role.FEEDS);
    ImmutableList<Variable> results = tensors(ProgramCensus.Role.FETCHES);
    TextTable table = table().row("", "name", "type", "shape", "declared as", "bytes");
    addRows(table, "feed", first(feeds));
    addRows(table, "result", first(results));
    return left("feeds", feeds) + left("results", results) + table;
  }

  /** Returns the feeds and results that the text only counts. */
  String details() {
    TextTable table = table();
    addRows(table, "feed", others(tensors(ProgramCensus.Role.FEEDS)));
    addRows(table, "result", others(tensors(ProgramCensus.Role.FETCHES)));
    return table.toString();
  }

  private static TextTable table() {
    return new TextTable(
        TextTable.Column.TEXT,
        TextTable.Column.TEXT,
        TextTable.Column.TEXT,
        TextTable.Column.TEXT,
        TextTable.Column.TEXT,
        TextTable.Column.TEXT);
  }

  private static String left(String kind, List<Variable> tensors) {
    return tensors.size() <= MOST_SHOWN
        ? ""
        : "shown are "
            + MOST_SHOWN
            + " of "
            + Quantity.count(tensors.size())
            + " "
            + kind
            + " (-v)\n";
  }

  private static List<Variable> first(List<Variable> tensors) {
    return tensors.subList(0, Math.min(MOST_SHOWN, tensors.size()));
  }

  private static List<Variable> others(List<Variable> tensors) {
    return tensors.subList(Math.min(MOST_SHOWN, tensors.size()), tensors.size());
  }

  private void addRows(TextTable table, String kind, List<Variable> tensors) {
    for (Variable tensor : tensors) {
      boolean isKnown = analysis.sizes().isKnown(tensor.index());
      table.row(
          kind,
          Names.display(tensor.name()),
          TensorShapes.type(analysis, tensor),
          TensorShapes.shape(analysis, tensor),
          TensorShapes.declared(tensor),
          isKnown ? Quantity.bytes(analysis.sizes().bytes(tensor.index())) : "?");
    }
  }

  /** Returns all tensors of a role, with -1 for extents that are not known. */
  JsonArray json(ProgramCensus.Role role) {
    JsonArray array = new JsonArray();
    for (Variable tensor : tensors(role)) {
      JsonObject object = new JsonObject();
      object.addProperty("variable", Names.display(tensor.name()));
      object.addProperty("type", TensorShapes.type(analysis, tensor));
      JsonArray dims = new JsonArray();
      analysis.sizes().dims(tensor.index()).forEach(dims::add);
      object.add("dims", dims);
      object.addProperty("declared", TensorShapes.declared(tensor));
      if (analysis.sizes().isKnown(tensor.index())) {
        object.addProperty("bytes", analysis.sizes().bytes(tensor.index()));
      } else {
        object.add("bytes", JsonNull.INSTANCE);
      }
      array.add(object);
    }
    return array;
  }
}
