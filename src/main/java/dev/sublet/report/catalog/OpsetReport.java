package dev.sublet.report.catalog;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.operator.OnnxOpset;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.report.Report;
import dev.sublet.report.format.JsonText;
import dev.sublet.runtime.machine.Execution;
import java.util.Locale;

/**
 * How many operator types of an opset of ONNX {@code sublet run} executes, and which ones it does
 * not.
 *
 * @param catalog the catalog
 * @param opset the opset
 */
public record OpsetReport(OperatorCatalog catalog, OnnxOpset opset) implements Report {

  private ImmutableList<String> notRun() {
    return opset.types(catalog).stream()
        .filter(type -> !OnnxOpset.TRANSLATED.contains(type))
        .filter(type -> Execution.of(catalog.lookup(type)) == Execution.NONE)
        .collect(ImmutableList.toImmutableList());
  }

  @Override
  public String text() {
    int types = opset.types(catalog).size();
    int runs = types - notRun().size();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Opset %d of ONNX has %d operator types. 'sublet run' executes %d of them (%.1f %%).%n",
            opset.number(),
            types,
            runs,
            100.0 * runs / types));
    if (runs < types) {
      text.append("\nnot executed:\n");
      notRun().forEach(type -> text.append("  ").append(type).append('\n'));
    }
    return text.toString();
  }

  @Override
  public String json() {
    JsonArray notRun = new JsonArray();
    notRun().forEach(notRun::add);
    JsonObject object = new JsonObject();
    object.addProperty("opset", opset.number());
    object.addProperty("types", opset.types(catalog).size());
    object.addProperty("runs", opset.types(catalog).size() - notRun.size());
    object.add("not_executed", notRun);
    return JsonText.print(object);
  }
}
