package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Block;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.ReasonCounts;
import dev.sublet.report.format.ReasonList;
import dev.sublet.report.format.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The contents of a program in numbers: blocks, operators, variables, bytes.
 *
 * @param analysis the program and the facts about it
 */
public record InspectReport(ProgramFacts analysis) implements Report {

  @Override
  public String text() {
    Program program = analysis.program();
    ProgramCensus census = ProgramCensus.of(analysis);
    TextTable totals = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    totals.row("version", version(program.version()));
    totals.row("blocks", Quantity.count(program.blocks().size()));
    totals.row("operators", Quantity.count(program.operationCount()));
    totals.row("variables", Quantity.count(program.variableCount()));
    List<String> reasons = new ArrayList<>();
    for (ProgramCensus.UnknownSize unknown : census.unknown()) {
      reasons.add(unknown.reason());
    }
    return String.join(
        "\n",
        signature().text(),
        totals.toString(),
        blocks(program).toString(),
        operators(census).toString(),
        kinds(census).toString(),
        roles(census).toString(),
        ReasonCounts.text("tensors of unknown size", reasons));
  }

  private Signature signature() {
    return new Signature(analysis);
  }

  /** Lists the feeds and results that the text leaves out, and every tensor of unknown size. */
  @Override
  public String details() {
    ReasonList list = new ReasonList("tensors of unknown size:");
    for (ProgramCensus.UnknownSize unknown : ProgramCensus.of(analysis).unknown()) {
      list.add(unknown.variable().id(), unknown.reason());
    }
    return signature().details() + list;
  }

  private static String version(long version) {
    if (version == 0) {
      return "not recorded";
    }
    return String.format(
        Locale.ROOT,
        "%d.%d.%d (%d)",
        version / 1_000_000,
        version / 1_000 % 1_000,
        version % 1_000,
        version);
  }

  private static TextTable blocks(Program program) {
    TextTable table =
        new TextTable(
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER);
    table.row("block", "parent", "forward", "operators", "variables");
    for (Block block : program.blocks()) {
      table.row(
          String.valueOf(block.index()),
          block.parent() == Block.NONE ? "-" : String.valueOf(block.parent()),
          block.forward() == Block.NONE ? "-" : String.valueOf(block.forward()),
          Quantity.count(block.operations().size()),
          Quantity.count(block.variables().size()));
    }
    return table;
  }

  private static TextTable operators(ProgramCensus census) {
    TextTable table =
        new TextTable(TextTable.Column.TEXT, TextTable.Column.NUMBER, TextTable.Column.TEXT);
    table.row("operator", "count", "in the catalog");
    for (Map.Entry<String, Integer> entry : census.operators().entrySet()) {
      table.row(
          entry.getKey(),
          Quantity.count(entry.getValue()),
          Quantity.yesOrNo(isKnown(entry.getKey())));
    }
    return table;
  }

  private static TextTable kinds(ProgramCensus census) {
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.NUMBER);
    table.row("kind of variable", "count");
    for (Map.Entry<Variable.Kind, Integer> entry : census.kinds().entrySet()) {
      table.row(Ascii.toLowerCase(entry.getKey().name()), Quantity.count(entry.getValue()));
    }
    return table;
  }

  private static TextTable roles(ProgramCensus census) {
    TextTable table =
        new TextTable(
            TextTable.Column.TEXT,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT);
    table.row("tensors", "count", "unknown size", "bytes of the others");
    for (Map.Entry<ProgramCensus.Role, ProgramCensus.Tally> entry : census.roles().entrySet()) {
      ProgramCensus.Tally tally = entry.getValue();
      table.row(
          entry.getKey().label(),
          Quantity.count(tally.count()),
          Quantity.count(tally.unknown()),
          Quantity.bytes(tally.bytes()));
    }
    return table;
  }

  private static boolean isKnown(String type) {
    return OperatorCatalog.standard().lookup(type).known();
  }

  @Override
  public String json() {
    Program program = analysis.program();
    ProgramCensus census = ProgramCensus.of(analysis);
    JsonObject object = new JsonObject();
    object.addProperty("version", program.version());
    object.addProperty("operators", program.operationCount());
    object.addProperty("variables", program.variableCount());
    object.add("blocks", jsonBlocks(program));
    object.add("inputs", signature().json(ProgramCensus.Role.FEEDS));
    object.add("outputs", signature().json(ProgramCensus.Role.FETCHES));
    JsonArray types = new JsonArray();
    for (Map.Entry<String, Integer> entry : census.operators().entrySet()) {
      JsonObject type = new JsonObject();
      type.addProperty("op_type", entry.getKey());
      type.addProperty("count", entry.getValue());
      type.addProperty("known", isKnown(entry.getKey()));
      types.add(type);
    }
    object.add("operator_types", types);
    JsonObject kinds = new JsonObject();
    for (Map.Entry<Variable.Kind, Integer> entry : census.kinds().entrySet()) {
      kinds.addProperty(Ascii.toLowerCase(entry.getKey().name()), entry.getValue());
    }
    object.add("variable_kinds", kinds);
    for (Map.Entry<ProgramCensus.Role, ProgramCensus.Tally> entry : census.roles().entrySet()) {
      JsonObject tally = new JsonObject();
      tally.addProperty("count", entry.getValue().count());
      tally.addProperty("bytes", entry.getValue().bytes());
      tally.addProperty("unknown", entry.getValue().unknown());
      object.add(entry.getKey().jsonName(), tally);
    }
    JsonArray unknown = new JsonArray();
    for (ProgramCensus.UnknownSize entry : census.unknown()) {
      unknown.add(JsonText.reason(entry.variable().id(), entry.reason()));
    }
    object.add("unknown_size", unknown);
    return JsonText.print(object);
  }

  private static JsonArray jsonBlocks(Program program) {
    JsonArray blocks = new JsonArray();
    for (Block block : program.blocks()) {
      JsonObject object = new JsonObject();
      object.addProperty("block_idx", block.index());
      object.addProperty("parent_idx", block.parent());
      object.addProperty("forward_block_idx", block.forward());
      object.addProperty("operators", block.operations().size());
      object.addProperty("variables", block.variables().size());
      blocks.add(object);
    }
    return blocks;
  }
}
