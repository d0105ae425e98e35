package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.EnumSet;

/**
 * Collects the C functions of several programs whose extents are all known, and prints them with
 * the helper functions that they share.
 *
 * <pre>
 * static void NAME(const float *restrict x, …, float *restrict y, …, void *restrict workspace)
 * </pre>
 *
 * <p>The results equal the interpreter's bit for bit on every machine with IEEE arithmetic whose
 * compiler neither contracts operations nor uses excess precision: functions such as {@code exp}
 * are those of {@link StrictFunction}. (One exception is {@code erf} of FLOAT64, in the last bit.)
 */
public final class CFunctions {

  private final String prefix;
  private final boolean isStrict;
  private final EnumSet<CHelper> helpers = EnumSet.noneOf(CHelper.class);
  private final EnumSet<StrictFunction> strict = EnumSet.noneOf(StrictFunction.class);
  private final StringBuilder functions = new StringBuilder();

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
   * @param strip the lanes of the panels of products, a multiple of 16; 0 for plain loops
   * @throws IllegalArgumentException if an extent is not a number
   */
  public void add(MicroProgram program, String name, ImmutableSet<String> given, int strip) {
    EmitC emitted = new EmitC(program, scope(program, name), strip);
    functions.append(emitted.staticFunction(given)).append('\n');
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
   * @param strip the lanes of the panels of products; 0 for plain loops
   */
  public static long workspaceBytes(MicroProgram program, int strip) {
    return EmitC.workspaceBytes(program, strip);
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
    return text.append(functions).toString();
  }
}
