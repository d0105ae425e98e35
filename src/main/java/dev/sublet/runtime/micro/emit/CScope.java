package dev.sublet.runtime.micro.emit;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The identifiers of a program's C code, and the set of those used so far. */
final class CScope {

  private final EmittedNames names = new EmittedNames();
  private final String function;
  private final ImmutableMap<String, TensorDeclaration> tensors;
  private final String prefix;
  private final EnumSet<CHelper> helpers;

  /** The functions that replace those of the C library; null if the library's are called. */
  private final @Nullable EnumSet<StrictFunction> strict;

  private final Set<String> used = new LinkedHashSet<>();

  /**
   * The extents that are computed from others, by their expressions, each with the first axis that
   * has the extent.
   */
  private final Map<IndexExpression, AxisSize> computed = new LinkedHashMap<>();

  /** A scope of a file that contains one function and calls the C library. */
  CScope(MicroProgram program) {
    this.function = names.of("function", program.name(), "");
    this.prefix = function + "_";
    this.helpers = EnumSet.noneOf(CHelper.class);
    this.strict = null;
    this.tensors = declare(program);
  }

  /**
   * A scope of a function in a file with others.
   *
   * @param prefix the prefix of the helper functions, which all functions share
   * @param helpers gets the helpers that are called
   * @param strict gets the functions that are called in place of those of the C library; null if
   *     those of the library are called
   */
  CScope(
      MicroProgram program,
      String function,
      String prefix,
      EnumSet<CHelper> helpers,
      @Nullable EnumSet<StrictFunction> strict) {
    this.function = function;
    this.prefix = prefix;
    this.helpers = helpers;
    this.strict = strict;
    this.tensors = declare(program);
  }

  private ImmutableMap<String, TensorDeclaration> declare(MicroProgram program) {
    names.reserve(prefix);
    ImmutableMap.Builder<String, TensorDeclaration> declared = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      declared.put(tensor.name(), tensor);
    }
    for (TensorDeclaration tensor : program.tensors()) {
      for (int axis = 0; axis < tensor.rank(); axis++) {
        if (tensor.shape().get(axis) instanceof IndexExpression.Arithmetic arithmetic) {
          computed.putIfAbsent(arithmetic, new AxisSize(tensor.name(), axis));
        }
      }
    }
    return declared.buildOrThrow();
  }

  /** Returns the function's name. */
  String function() {
    return function;
  }

  /** Returns the prefix of every helper function. */
  String prefix() {
    return prefix;
  }

  /** Returns the declaration of a tensor. */
  TensorDeclaration declaration(String tensor) {
    TensorDeclaration declaration = tensors.get(tensor);
    if (declaration == null) {
      throw new IllegalArgumentException("there is no tensor " + tensor);
    }
    return declaration;
  }

  /** Returns the name of a tensor's pointer and marks it as used. */
  String tensor(String name) {
    return use(peek(name));
  }

  /** Returns the name of a tensor's pointer without marking it as used. */
  String peek(String tensor) {
    return names.of("tensor", tensor, "");
  }

  /** Returns the name of an extent's argument or variable without marking it as used. */
  String peek(AxisSize extent) {
    return names.of("extent", extent.tensor() + " " + extent.axis(), "d_");
  }

  /** Returns the name of a scalar argument and marks it as used. */
  String parameter(String name) {
    return use(names.of("parameter", name, ""));
  }

  /** Returns the computed extents by their expressions, in declaration order. */
  Map<IndexExpression, AxisSize> computedExtents() {
    return computed;
  }

  /** Returns the name of an extent's argument or variable and marks it as used. */
  String extent(String tensor, int axis) {
    return use(peek(new AxisSize(tensor, axis)));
  }

  private String use(String identifier) {
    used.add(identifier);
    return identifier;
  }

  /** Whether an identifier has been used since the last {@link #forget}. */
  boolean isUsed(String identifier) {
    return used.contains(identifier);
  }

  /** Clears the set of used identifiers. */
  void forget() {
    used.clear();
  }

  /** Whether the caller decides an extent. */
  boolean isDecidedByCaller(String tensor, int axis) {
    return declaration(tensor).isDecidedByCaller(axis);
  }

  /** Returns a call of a helper and records that the helper must be defined. */
  String call(CHelper helper, String... operands) {
    helper.addTo(helpers);
    return prefix + helper.functionName() + "(" + String.join(", ", operands) + ")";
  }

  /** Returns a macro that a helper defines, and records that the helper must be defined. */
  String macro(CHelper helper, String name) {
    helpers.add(helper);
    return prefix + name;
  }

  /** Whether functions must have the bits of {@link java.lang.StrictMath}. */
  boolean isStrict() {
    return strict != null;
  }

  /** Returns a call of a function of FLOAT64 numbers and records that it must be defined. */
  String call(StrictFunction called, String operands) {
    called.addTo(requireNonNull(strict));
    return prefix + called.functionName() + "(" + operands + ")";
  }

  /** Returns the helpers that were called, in a fixed order. */
  EnumSet<CHelper> helpers() {
    return helpers;
  }

  /** Returns the C type of elements. */
  static String type(ElementType type) {
    return switch (type) {
      case FLOAT32 -> "float";
      case FLOAT64 -> "double";
      case INT32 -> "int32_t";
      case INT64 -> "int64_t";
      case BOOL, UINT8 -> "uint8_t";
      case INT8 -> "int8_t";
      default -> throw new AssertionError(type);
    };
  }
}
