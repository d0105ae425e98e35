package dev.sublet.report.catalog;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.report.Report;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import dev.sublet.runtime.machine.Execution;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The operator catalog in numbers, by family. The JSON form is the list of all operators.
 *
 * @param catalog the catalog
 */
public record CatalogSummary(OperatorCatalog catalog) implements Report {

  /** The number of types with a property. */
  private static final class Counts {
    private int types;
    private int shapes;
    private int inPlace;
    private int views;
    private int runs;

    void add(OperatorSpec spec) {
      types++;
      shapes += spec.shapeRule() == null ? 0 : 1;
      inPlace += spec.inPlacePairs().isEmpty() ? 0 : 1;
      views += spec.viewRule() == null ? 0 : 1;
      runs += Execution.of(spec) == Execution.NONE ? 0 : 1;
    }

    void addRow(TextTable table, String name) {
      table.row(
          name,
          Quantity.count(types),
          Quantity.count(shapes),
          Quantity.count(inPlace),
          Quantity.count(views),
          Quantity.count(runs));
    }
  }

  @Override
  public String text() {
    Map<String, Counts> families = new TreeMap<>();
    Map<String, Counts> domains = new TreeMap<>();
    Counts paddle = new Counts();
    Counts onnx = new Counts();
    for (OperatorSpec spec : catalog.all()) {
      (spec.isOnnx() ? onnx : paddle).add(spec);
      String group = spec.isOnnx() ? domain(spec.type()) : catalog.family(spec.type());
      (spec.isOnnx() ? domains : families).computeIfAbsent(group, name -> new Counts()).add(spec);
    }
    TextTable table =
        new TextTable(
            TextTable.Column.TEXT,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER);
    table.row("operators", "types", "shapes", "in place", "view", "runs");
    families.forEach((name, counts) -> counts.addRow(table, "  " + name));
    paddle.addRow(table, "Paddle");
    domains.forEach((name, counts) -> counts.addRow(table, "  " + name));
    onnx.addRow(table, "ONNX");
    return "Sublet knows "
        + Quantity.count(catalog.all().size())
        + " operator types; any other one is planned as the worst case.\n\n"
        + table
        + LEGEND;
  }

  /** Returns the domain of an ONNX operator. The parts of its control operators count as ONNX's. */
  private static String domain(String type) {
    int dot = type.lastIndexOf('.');
    return dot < 0 || type.startsWith("onnx.") ? "ai.onnx" : type.substring(0, dot);
  }

  private static final String LEGEND =
      """

      shapes    the shapes of the outputs are inferred, not only declared
      in place  an output may take the memory of an input that is not read later
      view      an argument repeats bytes of another one and may lie in it
      runs      'sublet run' executes the operator

      'sublet ops TYPE' explains one operator; 'sublet ops --all' lists all.
      """;

  @Override
  public String json() {
    return new CatalogReport(catalog, catalog.all(), OptionalLong.empty()).json();
  }
}
