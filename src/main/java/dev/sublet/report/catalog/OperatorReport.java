package dev.sublet.report.catalog;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.NameHint;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.report.Report;
import dev.sublet.report.format.TextTable;
import dev.sublet.runtime.machine.Execution;
import java.util.OptionalLong;

/**
 * The facts about one operator type, with an explanation of each.
 *
 * @param catalog the catalog
 * @param spec the operator
 * @param version the program's version, which decides which in-place pairs are on, if it matters
 */
public record OperatorReport(OperatorCatalog catalog, OperatorSpec spec, OptionalLong version)
    implements Report {

  private CatalogReport table() {
    return new CatalogReport(catalog, ImmutableList.of(spec), version);
  }

  @Override
  public String text() {
    TextTable table =
        new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT, TextTable.Column.TEXT);
    table.row("outputs", CatalogReport.display(spec.effects().others()), effect());
    table.row("control", CatalogReport.display(spec.control()), control());
    table.row("lod", CatalogReport.display(spec.lod().rule()), lod());
    boolean hasRule = spec.shapeRule() != null;
    table.row(
        "shapes",
        hasRule ? "rule" : "-",
        hasRule ? "the shapes of the outputs are inferred" : "the declared shapes are used");
    table.row("runs", CatalogReport.runs(spec), runs());
    boolean hasView = spec.viewRule() != null;
    table.row(
        "view",
        hasView ? String.valueOf(spec.viewRule()) : "-",
        hasView
            ? "one argument repeats bytes of the other and may lie in it (--views)"
            : "no argument repeats the bytes of another one");
    return title() + "\n\n" + table + inPlace() + further();
  }

  private String title() {
    if (!spec.known()) {
      ImmutableList<String> types =
          catalog.all().stream().map(OperatorSpec::type).collect(toImmutableList());
      return spec.type()
          + " is not in the catalog: the worst is assumed"
          + NameHint.withoutList(spec.type(), types);
    }
    return spec.isOnnx()
        ? spec.type()
            + ", an operator of ONNX\n"
            + "Models with it are read and planned as they are; it becomes no operator of Paddle."
        : spec.type() + ", an operator of Paddle; family: " + catalog.family(spec.type());
  }

  private String effect() {
    return switch (spec.effects().others()) {
      case MUST_WRITE -> "each output is written entirely";
      case MAY_WRITE -> "an output may keep its old value or a part of it";
      case READ_WRITE -> "the old values of outputs are read";
    };
  }

  private String control() {
    if (spec.control() == ControlKind.NONE) {
      return "it runs no block";
    }
    return spec.control().isLoop() ? "it may run its block repeatedly" : "it may run its block";
  }

  private String lod() {
    return switch (spec.lod().rule()) {
      case PASSES -> "outputs may carry the sequence offsets of inputs";
      case PRODUCES -> "outputs carry sequence offsets";
      case CLEARS -> "outputs carry no sequence offsets";
    };
  }

  private String runs() {
    return switch (Execution.of(spec)) {
      case MICRO_OPS -> "'sublet run' executes it as loops of micro ops";
      case NATIVE -> "'sublet run' executes it";
      case NONE -> "'sublet run' cannot execute it";
    };
  }

  private String inPlace() {
    if (spec.inPlacePairs().isEmpty()) {
      return "\nin place: no output may take the memory of an input\n";
    }
    return "\nin place: the output may take the memory of an input that is not read later\n  "
        + String.join("\n  ", table().pairs(spec))
        + "\n"
        + (spec.isOnnx() ? "" : PAIR_LEGEND);
  }

  private static final String PAIR_LEGEND =
      """
      (input->output [versions of Paddle that list the pair] condition, runs of Paddle in which
      both sides had one name, and one buffer, and the bits were equal)
      """;

  private String further() {
    String further = CatalogReport.further(spec);
    return further.isEmpty() || !spec.known() ? "" : "\nfurther: " + further + "\n";
  }

  @Override
  public String json() {
    return table().json();
  }
}
