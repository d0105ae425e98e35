package dev.sublet.paddle.runtime;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of Paddle's log about one operator: just before it runs, or just after it has run.
 *
 * <pre>{@code
 * … operator.cc:281] Place(cpu) Op(gru), inputs:{…}, outputs:{Hidden[h:float[7, 16]({{0, 4, 7}})(Place(cpu))], …}.
 * }</pre>
 *
 * @param line where in Paddle's source the line was written, which tells before from after
 * @param type the operator's type
 * @param outputs by slot, each argument
 */
public record OperatorTrace(
    String line, String type, ImmutableListMultimap<String, Argument> outputs) {

  /** A variable, and its tensor if it holds one. */
  public record Argument(String name, Optional<ObservedTensor> tensor) {}

  private static final Pattern HEAD =
      Pattern.compile("\\.cc:(\\d+)\\] .*? ?Op\\((\\w+)\\), inputs:");

  private static final String OUTPUTS = ", outputs:{";

  private static final Pattern SLOT = Pattern.compile("(?:, )?([^\\[\\]{}, ]+)\\[");

  private static final Pattern ARGUMENT =
      Pattern.compile(
          "(?:, )?(?<name>[^\\[\\]]+?)(?:\\[uninited\\]|(?<rows>\\[row_size=\\d+\\])?"
              + ":(?<type>[^\\[\\]]*)\\[(?<dims>[^\\]]*)\\]\\((?<lod>[^)]*)\\)"
              + "\\((?<place>Place\\([^)]*\\))?\\))");

  private static final Pattern LEVEL = Pattern.compile("\\{([\\d, ]*)\\}");

  /** Whether a line of the log is one about an operator. */
  static boolean matches(String logLine) {
    return logLine.contains("] ") && logLine.contains(" Op(") && logLine.contains(OUTPUTS);
  }

  /** Reads a line that {@link #matches}. */
  public static OperatorTrace parse(String logLine) {
    Matcher head = HEAD.matcher(logLine);
    if (!head.find()) {
      throw new IllegalArgumentException("not about an operator: " + logLine);
    }
    return new OperatorTrace(head.group(1), head.group(2), parseOutputs(logLine));
  }

  private static ImmutableListMultimap<String, Argument> parseOutputs(String logLine) {
    ImmutableListMultimap.Builder<String, Argument> outputs = ImmutableListMultimap.builder();
    int position = logLine.lastIndexOf(OUTPUTS) + OUTPUTS.length();
    while (!logLine.startsWith("}", position)) {
      Matcher slot = SLOT.matcher(logLine).region(position, logLine.length());
      expect(slot.lookingAt(), logLine, position);
      position = slot.end();
      while (!logLine.startsWith("]", position)) {
        Matcher argument = ARGUMENT.matcher(logLine).region(position, logLine.length());
        expect(argument.lookingAt(), logLine, position);
        outputs.put(slot.group(1), new Argument(argument.group("name"), tensor(argument)));
        position = argument.end();
      }
      position++;
    }
    return outputs.build();
  }

  private static void expect(boolean found, String logLine, int position) {
    if (!found) {
      throw new IllegalArgumentException("unexpected " + logLine.substring(position));
    }
  }

  private static Optional<ObservedTensor> tensor(Matcher argument) {
    String dims = argument.group("dims");
    if (dims == null || argument.group("rows") != null) {
      return Optional.empty();
    }
    boolean unwritten = argument.group("place") == null && dims.equals("0");
    // Arrays, scopes and the like show an extent of -1.
    if (unwritten || dims.equals("-1")) {
      return Optional.empty();
    }
    return Optional.of(
        new ObservedTensor(
            dataType(argument.group("type")), numbers(dims), lod(argument.group("lod"))));
  }

  private static ImmutableList<ImmutableLongArray> lod(String text) {
    ImmutableList.Builder<ImmutableLongArray> lod = ImmutableList.builder();
    if (!text.equals("{}")) {
      Matcher level = LEVEL.matcher(text);
      while (level.find()) {
        lod.add(numbers(level.group(1)));
      }
    }
    return lod.build();
  }

  private static ImmutableLongArray numbers(String text) {
    ImmutableLongArray.Builder numbers = ImmutableLongArray.builder();
    for (String number : Splitter.on(',').trimResults().omitEmptyStrings().split(text)) {
      numbers.add(Long.parseLong(number));
    }
    return numbers.build();
  }

  /** Paddle's log gives the names of the C++ types. */
  private static Optional<DataType> dataType(String name) {
    return switch (name) {
      case "" -> Optional.empty();
      case "float" -> Optional.of(DataType.FP32);
      case "double" -> Optional.of(DataType.FP64);
      case "bool" -> Optional.of(DataType.BOOL);
      case "int" -> Optional.of(DataType.INT32);
      case "int64_t" -> Optional.of(DataType.INT64);
      case "int16_t" -> Optional.of(DataType.INT16);
      case "int8_t" -> Optional.of(DataType.INT8);
      case "uint8_t" -> Optional.of(DataType.UINT8);
      case "::paddle::platform::float16" -> Optional.of(DataType.FP16);
      case "::paddle::platform::bfloat16" -> Optional.of(DataType.BF16);
      case "::paddle::platform::complex<float>" -> Optional.of(DataType.COMPLEX64);
      case "::paddle::platform::complex<double>" -> Optional.of(DataType.COMPLEX128);
      default -> throw new IllegalArgumentException("unexpected element type " + name);
    };
  }
}
