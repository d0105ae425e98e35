package dev.sublet.cli.flag;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import dev.sublet.cli.argument.FeedShape;
import dev.sublet.cli.argument.FeedValue;
import dev.sublet.cli.argument.MicroExtents;
import dev.sublet.cli.argument.ScalarValue;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a micro program: the values of its scalar parameters and the tensors of its
 * inputs.
 *
 * @param scalars the parameters by name
 * @param inputs the tensors by name
 */
public record MicroArguments(
    ImmutableMap<String, Number> scalars, ImmutableMap<String, Tensor> inputs) {

  /**
   * Returns the arguments that options specify. The same seed and shape always give the same
   * numbers.
   *
   * @throws ProgramException if an argument is missing, is given twice, or does not fit the program
   */
  public static MicroArguments of(
      MicroProgram program,
      List<ScalarValue> scalars,
      List<FeedShape> shapes,
      List<FeedValue> feeds) {
    ImmutableMap<String, Number> values = scalars(program, scalars);
    Map<String, ImmutableLongArray> givenShapes = new LinkedHashMap<>();
    for (FeedShape shape : shapes) {
      putOnce(givenShapes, shape.name(), shape.dims(), "--shape");
    }
    Map<String, String> sources = new LinkedHashMap<>();
    for (FeedValue feed : feeds) {
      putOnce(sources, feed.name(), feed.source(), "--feed");
    }
    MicroExtents extents = new MicroExtents(values);
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    List<String> missing = new ArrayList<>();
    for (TensorDeclaration input : program.tensors()) {
      if (input.role() != TensorDeclaration.Role.INPUT) {
        continue;
      }
      String source = sources.remove(input.name());
      ImmutableLongArray shape = givenShapes.remove(input.name());
      if (source == null) {
        missing.add(input.name());
        extents.shape(input, shape);
      } else {
        inputs.put(input.name(), MicroFeed.tensor(source, input, shape, extents));
      }
    }
    // A misspelled name is missing under its right name, too; the misspelling explains both.
    checkUnknown(program, sources.keySet(), "--feed", inputs(program));
    checkUnknown(program, givenShapes.keySet(), "--shape", inputs(program));
    checkMissing(missing, "--feed", "random:1");
    return new MicroArguments(values, inputs.buildOrThrow());
  }

  private static ImmutableMap<String, Number> scalars(
      MicroProgram program, List<ScalarValue> scalars) {
    Map<String, String> given = new LinkedHashMap<>();
    for (ScalarValue scalar : scalars) {
      putOnce(given, scalar.name(), scalar.value(), "--set");
    }
    ImmutableMap.Builder<String, Number> values = ImmutableMap.builder();
    List<String> missing = new ArrayList<>();
    for (ScalarDeclaration parameter : program.parameters()) {
      String text = given.remove(parameter.name());
      if (text == null) {
        missing.add(parameter.name());
      } else {
        values.put(parameter.name(), number(parameter, text));
      }
    }
    checkUnknown(program, given.keySet(), "--set", parameters(program));
    checkMissing(missing, "--set", "VALUE");
    return values.buildOrThrow();
  }

  private static Number number(ScalarDeclaration parameter, String text) {
    ElementType type = parameter.type();
    Number number =
        switch (type) {
          case FLOAT32, FLOAT64 -> Doubles.tryParse(text);
          case INT64, INT32, UINT8, INT8 -> integer(type, text);
          case BOOL -> text.equals("true") ? Long.valueOf(1) : text.equals("false") ? 0L : null;
          default -> throw new AssertionError(type);
        };
    if (number == null) {
      throw ProgramException.usage(
          "--set: $" + parameter.name() + " is " + type + " and cannot be '" + text + "'");
    }
    return number;
  }

  private static @Nullable Long integer(ElementType type, String text) {
    Long value = Longs.tryParse(text);
    boolean fits = value != null && value == type.wrapped(value);
    return fits ? value : null;
  }

  private static <V> void putOnce(Map<String, V> map, String name, V value, String option) {
    if (map.put(name, value) != null) {
      throw ProgramException.usage(option + " is given twice for '" + name + "'");
    }
  }

  private static void checkMissing(List<String> missing, String option, String value) {
    if (!missing.isEmpty()) {
      List<String> wanted = new ArrayList<>();
      missing.forEach(name -> wanted.add(option + " " + name + "=" + value));
      throw ProgramException.usage("to run, it needs " + String.join(" ", wanted));
    }
  }

  private static void checkUnknown(
      MicroProgram program, Iterable<String> names, String option, ImmutableList<String> known) {
    String what = option.equals("--set") ? "parameter" : "input";
    for (String name : names) {
      throw ProgramException.usage(
          option
              + ": '"
              + program.name()
              + "' has no "
              + what
              + " '"
              + name
              + "'"
              + NameHint.of(name, what + "s", known));
    }
  }

  private static ImmutableList<String> inputs(MicroProgram program) {
    return program.tensors().stream()
        .filter(tensor -> tensor.role() == TensorDeclaration.Role.INPUT)
        .map(TensorDeclaration::name)
        .collect(toImmutableList());
  }

  private static ImmutableList<String> parameters(MicroProgram program) {
    return program.parameters().stream().map(ScalarDeclaration::name).collect(toImmutableList());
  }
}
