package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Collects the C functions of several programs whose extents are all known, and prints them with
 * the helper functions that they share.
 *
 * <pre>
 * static void NAME(const float *restrict x, …, float *restrict y, …, void *restrict workspace)
 * static void NAME(…, int64_t part)                              if it has parts: see {@link Tiling}
 * static void NAME_part(const void *call, int32_t part)
 * </pre>
 *
 * <p>The results equal the interpreter's bit for bit on every machine with IEEE arithmetic whose
 * compiler neither contracts operations nor uses excess precision: functions such as {@code exp}
 * are those of {@link StrictFunction}. (One exception is {@code erf} of FLOAT64, in the last bit.)
 */
public final class CFunctions {

  /** The end of the name of a function that runs one part. */
  public static final String PART = "_part";

  private static final String SPLIT =
      """
      /* The arguments of a function whose parts may run at the same time. */
      struct @call {
        const void *in[@in];
        void *out[@out];
      };

      static void @split(
          const struct @threads *threads,
          void (*task)(const void *call, int32_t part),
          const struct @call *call,
          int32_t parts) {
        if (threads != NULL) {
          threads->run(threads->context, task, call, parts);
          return;
        }
        for (int32_t part = 0; part < parts; part++) task(call, part);
      }

      """;

  private final String prefix;
  private final boolean isStrict;
  private final EnumSet<CHelper> helpers = EnumSet.noneOf(CHelper.class);
  private final EnumSet<StrictFunction> strict = EnumSet.noneOf(StrictFunction.class);
  private final StringBuilder functions = new StringBuilder();

  /** The largest number of inputs of a function with several parts; 0 without such a function. */
  private int mostRead;

  /** The same of its outputs, its workspace included. */
  private int mostWritten;

  /**
   * Creates an empty collection.
   *
   * @param prefix the prefix of the helper functions' names
   * @param isStrict whether functions such as {@code exp} have the interpreter's bits; otherwise
   *     they are those of the C library, in float for FLOAT32
   */
  public CFunctions(String prefix, boolean isStrict) {
    this.prefix = prefix;
    this.isStrict = isStrict;
  }

  /**
   * Adds a function. O(size of the result).
   *
   * @param name an identifier of C, without a meaning there
   * @param given the outputs that have values before the call, which the nests read
   * @param tiling how the nests are cut
   * @throws IllegalArgumentException if an extent is not a number
   */
  public void add(MicroProgram program, String name, ImmutableSet<String> given, Tiling tiling) {
    EmitC emitted = new EmitC(program, scope(program, name), tiling);
    functions.append(emitted.staticFunction(given)).append('\n');
    if (EmitC.parts(program, given, tiling) > 1) {
      addPart(program, name, tiling);
    }
  }

  /** Adds the function that runs one part. */
  private void addPart(MicroProgram program, String name, Tiling tiling) {
    List<String> arguments = new ArrayList<>();
    int read = 0;
    int written = 0;
    for (TensorDeclaration tensor : parameters(program)) {
      boolean isRead = tensor.role() == TensorDeclaration.Role.INPUT;
      arguments.add(isRead ? "c->in[" + read++ + "]" : "c->out[" + written++ + "]");
    }
    if (workspaceBytes(program, tiling) > 0) {
      arguments.add("c->out[" + written++ + "]");
    }
    arguments.add("part");
    mostRead = Math.max(mostRead, read);
    mostWritten = Math.max(mostWritten, written);
    functions.append("static void ").append(name).append(PART);
    functions.append("(const void *call, int32_t part) {\n  const struct ");
    functions.append(prefix).append("call *const c = call;\n  ");
    functions.append(name).append('(').append(String.join(", ", arguments)).append(");\n}\n\n");
  }

  /**
   * Adds functions in C, with the functions of {@link StrictFunction} and the helpers that they
   * call. O(length).
   *
   * @param source definitions in which {@code @} stands for the prefix of all names
   */
  public void add(String source) {
    for (StrictFunction function : StrictFunction.values()) {
      if (source.contains("@" + function.functionName() + "(")) {
        function.addTo(strict);
      }
    }
    for (CHelper helper : CHelper.values()) {
      if (source.contains("@" + helper.functionName() + "(")) {
        helpers.add(helper);
      }
    }
    functions.append(source.replace("@", prefix));
  }

  private CScope scope(MicroProgram program, String name) {
    return new CScope(program, name, prefix, helpers, isStrict ? strict : null);
  }

  /**
   * Returns the bytes of the workspace of a program's function; 0 if it takes none.
   *
   * @param tiling how the nests are cut
   */
  public static long workspaceBytes(MicroProgram program, Tiling tiling) {
    return EmitC.workspaceBytes(program, tiling);
  }

  /**
   * Returns the number of parts of a program's function, which may run at the same time.
   *
   * @param given the outputs that have values before the call
   * @param tiling how the nests are cut
   */
  public static int parts(MicroProgram program, ImmutableSet<String> given, Tiling tiling) {
    return EmitC.parts(program, given, tiling);
  }

  /**
   * Returns the inputs of a program that are the factors of a tile and nothing else, and the order
   * that suits it. O(size).
   *
   * @param tiling how the nests are cut
   */
  public static ImmutableMap<String, PackedRows> packed(MicroProgram program, Tiling tiling) {
    return EmitC.packed(program, tiling);
  }

  /** Returns the number of nests that sum products, which panels make fast. O(size). */
  public static int products(MicroProgram program) {
    return EmitC.products(program);
  }

  /** Returns a program's tensors in the order of the function's parameters. */
  public static ImmutableList<TensorDeclaration> parameters(MicroProgram program) {
    return EmitC.tensorParameters(program);
  }

  /** Returns the C of all functions, helpers first. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(StrictFunction.definitions(strict, prefix));
    for (CHelper helper : helpers) {
      text.append(helper.definition(prefix)).append('\n');
    }
    if (mostWritten > 0) {
      text.append(
          SPLIT
              .replace("@in", String.valueOf(Math.max(mostRead, 1)))
              .replace("@out", String.valueOf(mostWritten))
              .replace("@", prefix));
    }
    return text.append(functions).toString();
  }
}
