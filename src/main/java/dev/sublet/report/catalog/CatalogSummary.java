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

    void addRow(TextTable table, String name, boolean isOnnx) {
      table.row(
          name,
          Quantity.count(types),
          Quantity.count(shapes),
          Quantity.count(inPlace),
          Quantity.count(views),
          isOnnx ? "-" : Quantity.count(runs));
    }
  }

  @Override
  public String text() {
    Map<String, Counts> families = new TreeMap<>();
    Counts paddle = new Counts();
    Counts onnx = new Counts();
    for (OperatorSpec spec : catalog.all()) {
      (spec.isOnnx() ? onnx : paddle).add(spec);
      if (!spec.isOnnx()) {
        families.computeIfAbsent(catalog.family(spec.type()), name -> new Counts()).add(spec);
      }
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
    families.forEach((name, counts) -> counts.addRow(table, "  " + name, /* isOnnx= */ false));
    paddle.addRow(table, "Paddle", /* isOnnx= */ false);
    onnx.addRow(table, "ONNX", /* isOnnx= */ true);
    return "Sublet knows "
        + Quantity.count(catalog.all().size())
        + " operator types; any other one is planned as the worst case.\n\n"
        + table
        + LEGEND;
  }

  private static final String LEGEND =
      """

      shapes    the shapes of the outputs are inferred, not only declared
      in place  an output may take the memory of an input that is not read later
      view      an argument repeats bytes of another one and may lie in it
      runs      'sublet run' executes the operator; ONNX models are planned, not run

      'sublet ops TYPE' explains one operator; 'sublet ops --all' lists all.
      """;

  @Override
  public String json() {
    return new CatalogReport(catalog, catalog.all(), OptionalLong.empty()).json();
  }
}
