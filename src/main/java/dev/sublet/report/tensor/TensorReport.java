package dev.sublet.report.tensor;

import com.google.common.collect.ImmutableMap;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.report.Report;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.TextTable;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Map;

/**
 * The results of a run: for each tensor its type, shape, checksum and first elements.
 *
 * <p>The checksum is the same as in {@link RunReport}.
 *
 * @param tensors the tensors by name, in the order in which they are shown
 */
public record TensorReport(ImmutableMap<String, Tensor> tensors) implements Report {

  /** The greatest number of elements that are shown of each tensor. */
  private static final int FIRST = 8;

  @Override
  public String text() {
    TextTable table =
        new TextTable(
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT);
    table.row("output", "type", "shape", "first values", "sha256");
    for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
      Tensor tensor = entry.getValue();
      StringBuilder first = new StringBuilder();
      for (int i = 0; i < Math.min(FIRST, tensor.length()); i++) {
        first.append(i == 0 ? "" : " ").append(element(tensor, i));
      }
      first.append(tensor.length() > FIRST ? " …" : "");
      table.row(
          entry.getKey(),
          tensor.type().toString(),
          tensor.shape().toString(),
          first.toString(),
          RunReport.checksum(tensor));
    }
    return table.toString();
  }

  /**
   * Returns an element with enough digits to distinguish it from every other number of its type.
   */
  private static String element(Tensor tensor, int index) {
    return switch (tensor.type()) {
      case FLOAT32 -> Float.toString(tensor.floats()[index]);
      case FLOAT64 -> Double.toString(tensor.doubles()[index]);
      case INT32, INT64, UINT8, INT8 -> Long.toString(tensor.getLong(index));
      case BOOL -> Boolean.toString(tensor.booleans()[index] != 0);
      default -> throw new AssertionError(tensor.type());
    };
  }

  /** Elements are strings, because JSON has no NaN and no infinities. */
  @Override
  public String json() {
    JsonArray array = new JsonArray();
    for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
      Tensor tensor = entry.getValue();
      JsonObject object = new JsonObject();
      object.addProperty("name", entry.getKey());
      object.addProperty("type", tensor.type().toString());
      JsonArray shape = new JsonArray();
      tensor.shape().asList().forEach(shape::add);
      object.add("shape", shape);
      object.addProperty("sha256", RunReport.checksum(tensor));
      JsonArray first = new JsonArray();
      for (int i = 0; i < Math.min(FIRST, tensor.length()); i++) {
        first.add(element(tensor, i));
      }
      object.add("first_values", first);
      array.add(object);
    }
    JsonObject object = new JsonObject();
    object.add("outputs", array);
    return JsonText.print(object);
  }
}
