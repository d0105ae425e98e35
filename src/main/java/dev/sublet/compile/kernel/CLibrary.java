package dev.sublet.compile.kernel;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.EmitC;
import dev.sublet.runtime.tensor.ElementType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adds C kernels to the functions of a model, each one once and only those that are called.
 *
 * <p>The resources of this package are functions with blank lines between them. In each, {@code @}
 * stands for the prefix of all names. A function whose name ends in {@code SUFFIX} exists for each
 * element type: {@code SUFFIX} stands for {@code f32}, {@code ELEMENT} for {@code float}, and
 * {@code KIND} for {@code real} or {@code whole}.
 */
public final class CLibrary {

  private static final ImmutableList<String> FILES =
      ImmutableList.of(
          "common.c",
          "bits.c",
          "box.c",
          "nms.c",
          "order.c",
          "proposal.c",
          "recurrence.c",
          "region.c",
          "rnn.c",
          "scatter.c",
          "sequence.c",
          "slice.c");

  /** A function's own name is the first one before a parenthesis. */
  private static final Pattern OWN_NAME = Pattern.compile("@(\\w+)(?=\\()");

  private static final Pattern NAME = Pattern.compile("@(\\w+)");

  private static final ImmutableMap<String, String> SOURCES = read();

  private final CFunctions functions;
  private final String prefix;
  private final Set<String> added = new HashSet<>();
  private final Map<ImmutableLongArray, String> lists = new HashMap<>();

  /**
   * Creates a library that adds its functions to those of a model.
   *
   * @param prefix the prefix of the functions' names
   */
  public CLibrary(CFunctions functions, String prefix) {
    this.functions = functions;
    this.prefix = prefix;
  }

  /**
   * Returns the statements of a routine, after its functions have been added if they are not there.
   * Calls whose outputs nothing reads are left out.
   *
   * @param pointers gives the expression for a pointer to {@code unsigned char}; {@code NULL} for
   *     an argument without elements and an output that nothing reads
   */
  public String statements(CRoutine routine, Function<CRoutine.Place, String> pointers) {
    StringBuilder statements = new StringBuilder();
    for (CRoutine.Call call : routine.calls()) {
      if (isRead(call, pointers)) {
        add(call);
        statements.append(call.statement(prefix, argument -> expression(argument, pointers)));
      }
    }
    return statements.toString();
  }

  /** Whether a call writes an output that is read, or scratch memory for other calls. */
  private static boolean isRead(CRoutine.Call call, Function<CRoutine.Place, String> pointers) {
    return call.arguments().stream()
        .anyMatch(
            argument ->
                argument instanceof CRoutine.Place place
                    && place.kind() != CRoutine.Place.Kind.INPUT
                    && !pointers.apply(place).equals("NULL"));
  }

  private String expression(
      CRoutine.CArgument argument, Function<CRoutine.Place, String> pointers) {
    if (argument instanceof CRoutine.Place place) {
      return pointers.apply(place);
    }
    if (argument instanceof CRoutine.FunctionName name) {
      return prefix + name.name();
    }
    return argument instanceof CRoutine.Numbers numbers
        ? prefix + name(numbers.list())
        : ((CRoutine.Literal) argument).text();
  }

  /** Returns the name of a list, which is a constant of the model. */
  private String name(ImmutableLongArray list) {
    String known = lists.get(list);
    if (known != null) {
      return known;
    }
    String name = "list" + lists.size();
    lists.put(list, name);
    StringBuilder text = new StringBuilder("static const int64_t @").append(name).append("[] = {");
    for (int i = 0; i < list.length(); i++) {
      text.append(i == 0 ? "" : ", ").append(RoutineBuilder.literal(list.get(i)));
    }
    functions.add(text.append("};\n\n").toString());
    return name;
  }

  private void add(CRoutine.Call call) {
    checkArgument(add(call.function()), "no C function %s", call.function());
    for (CRoutine.CArgument argument : call.arguments()) {
      if (argument instanceof CRoutine.FunctionName passed) {
        checkArgument(add(passed.name()), "no C function %s", passed.name());
      }
    }
  }

  /** Returns the number of functions that have been added. */
  public int count() {
    return added.size();
  }

  /** Returns the end of the names of functions for an element type. */
  static String suffix(ElementType type) {
    return switch (type) {
      case FLOAT32 -> "f32";
      case FLOAT64 -> "f64";
      case INT32 -> "i32";
      case INT64 -> "i64";
      case INT8 -> "i8";
      case UINT8 -> "u8";
      case BOOL -> "bool";
      default -> throw new UncompiledException("computes with " + type);
    };
  }

  /** Adds a function after those that it calls; returns false if it is not one of the library. */
  private boolean add(String name) {
    if (added.contains(name)) {
      return true;
    }
    String source = source(name);
    if (source.isEmpty()) {
      return false;
    }
    added.add(name);
    Matcher calls = NAME.matcher(source);
    while (calls.find()) {
      add(calls.group(1));
    }
    functions.add(source);
    return true;
  }

  private static String source(String name) {
    String own = SOURCES.getOrDefault(name, "");
    int end = name.lastIndexOf('_');
    if (!own.isEmpty() || end < 0) {
      return own;
    }
    String source = SOURCES.getOrDefault(name.substring(0, end) + "_SUFFIX", "");
    for (ElementType type : ElementType.ofMicroPrograms()) {
      if (suffix(type).equals(name.substring(end + 1))) {
        return source
            .replace("SUFFIX", suffix(type))
            .replace("ELEMENT", EmitC.type(type))
            .replace("KIND", type.isFloating() ? "real" : "whole");
      }
    }
    return "";
  }

  private static ImmutableMap<String, String> read() {
    ImmutableMap.Builder<String, String> sources = ImmutableMap.builder();
    for (String file : FILES) {
      String text;
      try {
        text = Resources.toString(Resources.getResource(CLibrary.class, file), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      for (String piece : Splitter.on("\n\n").split(text.strip())) {
        Matcher name = OWN_NAME.matcher(piece);
        checkArgument(name.find(), "%s in %s: no function", piece, file);
        sources.put(name.group(1), piece.strip() + "\n\n");
      }
    }
    return sources.buildOrThrow();
  }
}
