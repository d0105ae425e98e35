package dev.sublet.compile.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.tensor.Tensor;
import java.util.function.Function;

/**
 * An operator as calls of C functions.
 *
 * <pre>
 *   m_top_f32(5, 1, 100, 10, 1, x, out, indices, scratch);
 * </pre>
 *
 * <p>Arguments have the names of {@link dev.sublet.runtime.kernel.LoweringCall#argumentName}.
 *
 * @param calls the calls of C functions, in order
 * @param outputs the type of each output and its shape; its largest shape if that depends on data
 * @param dynamic the outputs whose shapes depend on data. {@code out + SHAPE} is one more output,
 *     to which the functions write the extents; the elements are those of a tensor of that shape,
 *     and zeros fill the rest of its memory
 * @param lod the sequences of outputs, if they are not those that the catalog passes on
 * @param scratchBytes the bytes of scratch memory
 */
public record CRoutine(
    ImmutableList<Call> calls,
    ImmutableMap<String, Tensor> outputs,
    ImmutableSet<String> dynamic,
    ImmutableMap<String, ImmutableList<ImmutableLongArray>> lod,
    long scratchBytes) {

  /** The end of the name of an output that is the shape of another one. */
  public static final String SHAPE = ".shape";

  /** The bytes to which parts of scratch memory are aligned. */
  private static final int ALIGNMENT = 8;

  public CRoutine {
    requireNonNull(calls, "calls");
    requireNonNull(outputs, "outputs");
    requireNonNull(dynamic, "dynamic");
    requireNonNull(lod, "lod");
  }

  /** A rule that turns an operator's calls into calls of C functions. */
  interface Rule {

    /**
     * Returns the C of a call.
     *
     * @throws dev.sublet.runtime.kernel.OperatorException if shapes, types or attributes do not fit
     * @throws dev.sublet.runtime.tensor.MissingElementsException if the C depends on elements that
     *     are missing
     * @throws UncompiledException if the C functions cannot do it
     */
    CRoutine of(OperatorCall call);
  }

  /**
   * A call of a C function.
   *
   * @param function its name without the prefix
   */
  public record Call(String function, ImmutableList<CArgument> arguments) {

    /**
     * Returns the statement.
     *
     * @param prefix the prefix of the function's name
     * @param expressions gives the expression for an argument
     */
    String statement(String prefix, Function<CArgument, String> expressions) {
      StringBuilder text = new StringBuilder("  ").append(prefix).append(function).append('(');
      for (int i = 0; i < arguments.size(); i++) {
        text.append(i == 0 ? "" : ", ").append(expressions.apply(arguments.get(i)));
      }
      return text.append(");\n").toString();
    }
  }

  /** An argument of a C function. */
  public sealed interface CArgument permits Literal, FunctionName, Numbers, Place {}

  /** A number, or {@code NULL}. */
  public record Literal(String text) implements CArgument {}

  /** A pointer to a C function, by its name without the prefix. */
  public record FunctionName(String name) implements CArgument {}

  /** A constant list of integers of 64 bits. */
  public record Numbers(ImmutableLongArray list) implements CArgument {}

  /**
   * A pointer.
   *
   * @param kind what it points into
   * @param name the operator's argument; empty for scratch memory
   * @param offset in bytes
   */
  public record Place(Kind kind, String name, long offset) implements CArgument {

    /** What a pointer points into. */
    public enum Kind {
      INPUT,
      OUTPUT,
      SCRATCH
    }
  }

  /** Returns bytes of scratch memory, rounded so that the next part is aligned. */
  static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
