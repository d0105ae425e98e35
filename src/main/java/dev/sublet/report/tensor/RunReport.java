package dev.sublet.report.tensor;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableLongArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.RunComparison;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.VisibleText;
import dev.sublet.program.Names;
import dev.sublet.report.Report;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.TextTable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of running a program: for each output its type, shape, first values and a checksum,
 * and whether other forms of the program computed the same. For each form: the bytes that
 * assignments copied, in all and in bodies of loops.
 *
 * <p>The checksum is the first 16 hexadecimal digits of the SHA-256 of the elements, row by row,
 * little-endian.
 *
 * @param comparison the run, and the runs of other forms of the program, if any
 * @param diagnostics warnings and notes of the run
 */
public record RunReport(RunComparison comparison, ImmutableList<Diagnostic> diagnostics)
    implements Report {

  private static final int FIRST_VALUES = 4;

  /**
   * The checksum of a tensor's elements, in the byte format of {@link TensorBytes}. O(elements).
   */
  static String checksum(Tensor tensor) {
    Hasher hasher = Hashing.sha256().newHasher();
    for (int i = 0; i < tensor.length(); i++) {
      switch (tensor.type()) {
        case FLOAT32 -> hasher.putInt(Float.floatToRawIntBits(tensor.floats()[i]));
        case FLOAT64 -> hasher.putLong(Double.doubleToRawLongBits(tensor.doubles()[i]));
        case INT32, UINT32 -> hasher.putInt(tensor.ints()[i]);
        case INT64, UINT64 -> hasher.putLong(tensor.longs()[i]);
        case FLOAT16, BFLOAT16, INT16, UINT16 -> hasher.putShort(tensor.shorts()[i]);
        case BOOL, UINT8, INT8 -> hasher.putByte(tensor.bytes()[i]);
      }
    }
    return hasher.hash().toString().substring(0, 16);
  }

  @Override
  public String text() {
    StringBuilder text = new StringBuilder(outputs().toString());
    for (String name : comparison.original().unset()) {
      text.append(VisibleText.of(Names.display(name))).append("  has no value\n");
    }
    text.append(comparison.original().operators()).append(" operators run, ");
    text.append(copied(comparison.original())).append('\n');
    for (RunComparison.Form form : comparison.forms()) {
      text.append(form.name()).append(": ").append(VisibleText.of(verdict(form))).append('\n');
    }
    return text.toString();
  }

  private TextTable outputs() {
    List<TextTable.Column> columns = new ArrayList<>();
    List<String> head =
        new ArrayList<>(List.of("output", "type", "shape", "first values", "sha256"));
    for (RunComparison.Form form : comparison.forms()) {
      head.add(form.name());
    }
    head.forEach(cell -> columns.add(TextTable.Column.TEXT));
    TextTable table = new TextTable(columns.toArray(new TextTable.Column[0]));
    table.row(head.toArray(new String[0]));
    ImmutableList<ExecutionResult.Output> outputs = comparison.original().outputs();
    for (int i = 0; i < outputs.size(); i++) {
      LodTensor value = outputs.get(i).tensor();
      List<String> row = new ArrayList<>();
      row.add(Names.display(outputs.get(i).name()));
      row.add(value.tensor().type().toString());
      row.add(value.tensor().shape() + (value.lod().isEmpty() ? "" : " lod " + value.lod()));
      row.add(firstValues(value.tensor()));
      row.add(checksum(value.tensor()));
      for (RunComparison.Form form : comparison.forms()) {
        row.add(comparison.isEqual(form, i) ? "equal" : "different");
      }
      table.row(row.toArray(new String[0]));
    }
    return table;
  }

  private static String firstValues(Tensor tensor) {
    StringBuilder text = new StringBuilder();
    int length = tensor.length();
    for (int i = 0; i < length && i < FIRST_VALUES; i++) {
      text.append(i == 0 ? "" : " ").append(value(tensor, i));
    }
    return text.append(length > FIRST_VALUES ? " …" : "").toString();
  }

  private static String value(Tensor tensor, int index) {
    return switch (tensor.type()) {
      case FLOAT32 -> Float.toString(tensor.floats()[index]);
      case FLOAT64 -> Double.toString(tensor.doubles()[index]);
      case FLOAT16, BFLOAT16 -> Float.toString((float) tensor.getDouble(index));
      case INT64, INT32, INT16, INT8, UINT32, UINT16, UINT8 -> Long.toString(tensor.getLong(index));
      case UINT64 -> Long.toUnsignedString(tensor.getLong(index));
      case BOOL -> tensor.getLong(index) == 0 ? "false" : "true";
    };
  }

  private static String copied(ExecutionResult result) {
    return ByteText.inWords(result.bytesCopied())
        + " copied by assignments, "
        + ByteText.exact(result.bytesCopiedInLoops())
        + " of them in loops";
  }

  /** Describes whether the results of a form are equal to those of the original. */
  private String verdict(RunComparison.Form form) {
    ExecutionResult result = form.result();
    if (result == null) {
      return "different: " + form.error();
    }
    if (comparison.isEqual(form)) {
      return "equal; " + copied(result);
    }
    int different = 0;
    for (int i = 0; i < comparison.original().outputs().size(); i++) {
      different += comparison.isEqual(form, i) ? 0 : 1;
    }
    return "different: "
        + different
        + " of "
        + comparison.original().outputs().size()
        + " outputs"
        + (result.persistables().equals(comparison.original().persistables())
            ? ""
            : ", and persistable variables at the end")
        + "; "
        + copied(result);
  }

  @Override
  public String json() {
    JsonObject object = new JsonObject();
    JsonArray outputs = new JsonArray();
    for (int i = 0; i < comparison.original().outputs().size(); i++) {
      outputs.add(output(i));
    }
    object.add("outputs", outputs);
    JsonArray unset = new JsonArray();
    comparison.original().unset().forEach(name -> unset.add(Names.display(name)));
    object.add("without_value", unset);
    object.addProperty("operators_run", comparison.original().operators());
    addCopied(object, comparison.original());
    if (!comparison.forms().isEmpty()) {
      object.addProperty("equal", comparison.isEqual());
      JsonArray forms = new JsonArray();
      for (RunComparison.Form form : comparison.forms()) {
        forms.add(form(form));
      }
      object.add("forms", forms);
    }
    object.add("diagnostics", JsonText.diagnostics(diagnostics));
    return JsonText.print(object);
  }

  private JsonObject output(int index) {
    ExecutionResult.Output output = comparison.original().outputs().get(index);
    Tensor tensor = output.tensor().tensor();
    JsonObject object = new JsonObject();
    object.addProperty("variable", Names.display(output.name()));
    object.addProperty("type", tensor.type().toString());
    object.add("shape", longs(tensor.shape()));
    JsonArray lod = new JsonArray();
    output.tensor().lod().forEach(level -> lod.add(longs(level)));
    object.add("lod", lod);
    JsonArray values = new JsonArray();
    for (int i = 0; i < Math.min(FIRST_VALUES, tensor.length()); i++) {
      addValue(values, tensor, i);
    }
    object.add("first_values", values);
    object.addProperty("sha256", checksum(tensor));
    return object;
  }

  /** Adds a value as a number; NaN and infinities as strings, because JSON has no such numbers. */
  private static void addValue(JsonArray values, Tensor tensor, int index) {
    if (tensor.type() == ElementType.BOOL) {
      values.add(tensor.getLong(index) != 0);
    } else if (!tensor.type().isFloating()) {
      values.add(tensor.getLong(index));
    } else if (Double.isFinite(tensor.getDouble(index))) {
      values.add(
          tensor.type() == ElementType.FLOAT32
              ? (Number) tensor.floats()[index]
              : (Number) tensor.doubles()[index]);
    } else {
      values.add(value(tensor, index));
    }
  }

  private JsonObject form(RunComparison.Form form) {
    JsonObject object = new JsonObject();
    object.addProperty("form", form.name());
    object.addProperty("equal", comparison.isEqual(form));
    JsonArray outputs = new JsonArray();
    for (int i = 0; i < comparison.original().outputs().size(); i++) {
      outputs.add(comparison.isEqual(form, i));
    }
    object.add("equal_outputs", outputs);
    if (form.result() != null) {
      addCopied(object, form.result());
    }
    if (!form.error().isEmpty()) {
      object.addProperty("error", form.error());
    }
    return object;
  }

  private static void addCopied(JsonObject object, ExecutionResult result) {
    object.addProperty("bytes_copied", result.bytesCopied());
    object.addProperty("bytes_copied_in_loops", result.bytesCopiedInLoops());
  }

  private static JsonArray longs(ImmutableLongArray values) {
    JsonArray array = new JsonArray(values.length());
    values.forEach(array::add);
    return array;
  }
}
