package dev.sublet.runtime.micro.emit;

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

/** The identifiers of a program's C code, and which of them it has used. */
final class CScope {

  private final EmittedNames names = new EmittedNames();
  private final String function;
  private final ImmutableMap<String, TensorDeclaration> tensors;
  private final EnumSet<CHelper> helpers = EnumSet.noneOf(CHelper.class);
  private final Set<String> used = new LinkedHashSet<>();

  /** Extents that are computed, by what they are; each has the axis that it was first met at. */
  private final Map<IndexExpression, AxisSize> computed = new LinkedHashMap<>();

  CScope(MicroProgram program) {
    this.function = names.of("function", program.name(), "");
    names.reserve(prefix());
    ImmutableMap.Builder<String, TensorDeclaration> declared = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      declared.put(tensor.name(), tensor);
    }
    this.tensors = declared.buildOrThrow();
    for (TensorDeclaration tensor : program.tensors()) {
      for (int axis = 0; axis < tensor.rank(); axis++) {
        if (tensor.shape().get(axis) instanceof IndexExpression.Arithmetic arithmetic) {
          computed.putIfAbsent(arithmetic, new AxisSize(tensor.name(), axis));
        }
      }
    }
  }

  /** The function. */
  String function() {
    return function;
  }

  /** What every helper function begins with. */
  final String prefix() {
    return function + "_";
  }

  /** The declaration of a tensor. */
  TensorDeclaration declaration(String tensor) {
    TensorDeclaration declaration = tensors.get(tensor);
    if (declaration == null) {
      throw new IllegalArgumentException("there is no tensor " + tensor);
    }
    return declaration;
  }

  /** A tensor's pointer. */
  String tensor(String name) {
    return use(peek(name));
  }

  /** A tensor's pointer, without using it. */
  String peek(String tensor) {
    return names.of("tensor", tensor, "");
  }

  /** An extent's argument or variable, without using it. */
  String peek(AxisSize extent) {
    return names.of("extent", extent.tensor() + " " + extent.axis(), "d_");
  }

  /** A scalar argument. */
  String parameter(String name) {
    return use(names.of("parameter", name, ""));
  }

  /** The extents that are computed, in the order of declarations, by what they are. */
  Map<IndexExpression, AxisSize> computedExtents() {
    return computed;
  }

  /** The argument or variable for an extent. */
  String extent(String tensor, int axis) {
    return use(peek(new AxisSize(tensor, axis)));
  }

  private String use(String identifier) {
    used.add(identifier);
    return identifier;
  }

  /** Whether code has been written that uses an identifier since the last {@link #forget}. */
  boolean isUsed(String identifier) {
    return used.contains(identifier);
  }

  /** Begins anew with what is used. */
  void forget() {
    used.clear();
  }

  /** Whether the caller decides an extent. */
  boolean isDecidedByCaller(String tensor, int axis) {
    TensorDeclaration declaration = declaration(tensor);
    return declaration.role() == TensorDeclaration.Role.INPUT
        && declaration.shape().get(axis).equals(new AxisSize(tensor, axis));
  }

  /** A call of a helper, which will be defined. */
  String call(CHelper helper, String... operands) {
    helpers.add(helper);
    return prefix() + helper.functionName() + "(" + String.join(", ", operands) + ")";
  }

  /** The helpers that were called, in a fixed order. */
  EnumSet<CHelper> helpers() {
    return helpers;
  }

  /** The C type of elements. */
  static String type(ElementType type) {
    return switch (type) {
      case FLOAT32 -> "float";
      case FLOAT64 -> "double";
      case INT32 -> "int32_t";
      case INT64 -> "int64_t";
      case BOOL, UINT8 -> "uint8_t";
      case INT8 -> "int8_t";
    };
  }
}
