package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import dev.sublet.codec.plan.CNames;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The constants of a model, in the order of their first use. */
final class ModelConstants {

  /** The offsets in a file are multiples of this. */
  private static final long ALIGNMENT = 64;

  private static final int MOST_IN_LINE = 8;

  private final CompileOptions options;
  private final Map<String, TracedValue> values = new LinkedHashMap<>();
  private final Map<String, Long> offsets = new LinkedHashMap<>();
  private final Map<String, Integer> indices = new HashMap<>();
  private long bytes;

  ModelConstants(CompileOptions options) {
    this.options = options;
  }

  /** Returns the expression for the first byte of a constant, which becomes part of the model. */
  String use(TracedValue value) {
    if (value.bytes() == 0) {
      return "NULL";
    }
    if (values.putIfAbsent(value.name(), value) == null) {
      bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      offsets.put(value.name(), bytes);
      indices.put(value.name(), indices.size());
      bytes += value.bytes();
    }
    if (options.weights() != WeightsForm.C) {
      return "w + " + offsets.get(value.name());
    }
    return array(value);
  }

  private String array(TracedValue value) {
    return options.name() + "_w" + requireNonNull(indices.get(value.name()));
  }

  /** The bytes of all constants, with gaps between them. */
  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Returns the content of the file of constants. */
  byte[] toBytes() {
    byte[] file = new byte[Math.toIntExact(bytes)];
    values.forEach(
        (name, value) ->
            TensorBytes.put(
                value.tensor().tensor(), file, Math.toIntExact(offsets.getOrDefault(name, 0L))));
    return file;
  }

  /** Returns the declarations of the arrays. */
  String declarations() {
    StringBuilder text = new StringBuilder();
    int index = 0;
    for (TracedValue value : values.values()) {
      text.append("extern const ").append(definition(value, index++)).append(";\n");
    }
    return text.toString();
  }

  private String definition(TracedValue value, int index) {
    return CTypes.of(value.type())
        + " "
        + options.name()
        + "_w"
        + index
        + "["
        + value.tensor().tensor().length()
        + "]";
  }

  /** Returns the source of the arrays. */
  byte[] toSource() {
    StringBuilder text = new StringBuilder();
    text.append("/* The constants of ").append(options.name()).append(". */\n");
    text.append("#include <math.h>\n#include <stdint.h>\n\n").append(declarations());
    int index = 0;
    for (TracedValue value : values.values()) {
      Tensor tensor = value.tensor().tensor();
      text.append("\n/* ").append(CNames.comment(value.name())).append(": ");
      text.append(tensor.type()).append(tensor.shape()).append(" */\n");
      text.append("const ").append(definition(value, index++)).append(" = {");
      for (int i = 0; i < tensor.length(); i++) {
        text.append(i % MOST_IN_LINE == 0 ? "\n    " : " ");
        text.append(CTypes.literal(tensor, i)).append(',');
      }
      text.append("\n};\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
