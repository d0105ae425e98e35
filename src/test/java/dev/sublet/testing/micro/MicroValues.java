package dev.sublet.testing.micro;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a micro op gets and gives, one tensor a line: {@code input x float32[2, 2] 1 2.5 -inf nan},
 * {@code output y bool[1] true}, {@code parameter k 2}.
 *
 * @param inputs the tensors that it gets
 * @param parameters the scalars that it gets
 * @param outputs the tensors that it gives
 */
public record MicroValues(
    ImmutableMap<String, Tensor> inputs,
    ImmutableMap<String, Number> parameters,
    ImmutableMap<String, Tensor> outputs) {

  /** The largest difference, relative to numbers beyond 1; the expectations come from doubles. */
  private static final double TOLERANCE = 2e-6;

  private static final Pattern TENSOR =
      Pattern.compile(
          "(input|output) (.*) (float32|float64|int32|int64|bool|uint8|int8)\\[(.*)] (.*)");
  private static final Pattern PARAMETER = Pattern.compile("parameter (.*) (\\S+)");

  /** Reads a file. */
  public static MicroValues read(Path file) throws IOException {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    ImmutableMap.Builder<String, Number> parameters = ImmutableMap.builder();
    ImmutableMap.Builder<String, Tensor> outputs = ImmutableMap.builder();
    for (String line : Files.readAllLines(file)) {
      Matcher tensor = TENSOR.matcher(line);
      Matcher parameter = PARAMETER.matcher(line);
      if (tensor.matches()) {
        boolean input = tensor.group(1).equals("input");
        (input ? inputs : outputs)
            .put(tensor.group(2), tensor(tensor.group(3), tensor.group(4), tensor.group(5)));
      } else {
        assertWithMessage(line).that(parameter.matches()).isTrue();
        parameters.put(parameter.group(1), Double.parseDouble(parameter.group(2)));
      }
    }
    return new MicroValues(
        inputs.buildOrThrow(), parameters.buildOrThrow(), outputs.buildOrThrow());
  }

  private static Tensor tensor(String typeName, String extents, String elements) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    for (String extent :
        Splitter.on(',').trimResults().split(CharMatcher.whitespace().trimFrom(extents))) {
      if (!extent.isEmpty()) {
        shape.add(Long.parseLong(extent));
      }
    }
    ElementType type =
        ElementType.ofMicroPrograms().stream()
            .filter(t -> t.toString().equals(typeName))
            .findFirst()
            .orElseThrow();
    Tensor tensor = Tensor.zeros(type, shape.build());
    List<String> texts = Splitter.on(' ').omitEmptyStrings().splitToList(elements);
    assertThat(texts).hasSize(tensor.length());
    for (int i = 0; i < texts.size(); i++) {
      set(tensor, i, texts.get(i));
    }
    return tensor;
  }

  private static void set(Tensor tensor, int index, String text) {
    switch (tensor.type()) {
      case FLOAT32 -> tensor.floats()[index] = (float) real(text);
      case FLOAT64 -> tensor.doubles()[index] = real(text);
      case INT32 -> tensor.ints()[index] = Integer.parseInt(text);
      case INT64 -> tensor.longs()[index] = Long.parseLong(text);
      case BOOL -> tensor.booleans()[index] = (byte) (text.equals("true") ? 1 : 0);
      case UINT8, INT8 -> tensor.bytes()[index] = (byte) Integer.parseInt(text);
      default -> throw new AssertionError(tensor.type());
    }
  }

  private static double real(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  /** Compares the outputs of a run with the expected ones: integers and booleans exactly. */
  public void assertOutputs(String run, ImmutableMap<String, Tensor> actual) {
    assertWithMessage(run).that(actual.keySet()).isEqualTo(outputs.keySet());
    outputs.forEach(
        (name, expected) -> {
          Tensor tensor = requireNonNull(actual.get(name));
          assertEqual(run + ": " + name, expected, tensor);
        });
  }

  private static void assertEqual(String what, Tensor expected, Tensor actual) {
    assertWithMessage(what).that(actual.type()).isEqualTo(expected.type());
    assertWithMessage(what).that(actual.shape()).isEqualTo(expected.shape());
    for (int i = 0; i < expected.length(); i++) {
      if (expected.type().isFloating()) {
        double wanted = expected.getDouble(i);
        assertWithMessage("%s, element %s", what, i)
            .that(actual.getDouble(i))
            .isWithin(TOLERANCE * Math.max(1, Math.abs(wanted)))
            .of(wanted);
      } else {
        assertWithMessage("%s, element %s", what, i)
            .that(actual.getLong(i))
            .isEqualTo(expected.getLong(i));
      }
    }
  }
}
