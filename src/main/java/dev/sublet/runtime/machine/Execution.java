package dev.sublet.runtime.machine;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.runtime.kernel.Kernel;
import java.util.Optional;

/** The way in which the operators of a type are executed. */
public enum Execution {
  /** By micro ops: the operator is lowered to micro ops, which are simplified and run as loops. */
  MICRO_OPS,
  /** By Java code of their own: control flow, arrays, sequences, sorting, random numbers. */
  NATIVE,
  /** Not at all: a program with such an operator cannot be run. */
  NONE;

  /**
   * Returns the way in which operators of a type are executed. O(1).
   *
   * <p>The answer is for the type alone: an operator can still fail at run time because of its
   * attributes, shapes or element types. A control operator runs natively only if the executor
   * understands its block.
   */
  public static Execution of(OperatorSpec spec) {
    if (spec.control() != ControlKind.NONE) {
      return spec.control() == ControlKind.RECURRENT_GRAD ? NONE : NATIVE;
    }
    if (ScopeOperators.isOne(spec.type())) {
      return NATIVE;
    }
    Optional<Kernel> kernel = Kernels.all().find(spec.type());
    if (kernel.isEmpty()) {
      return NONE;
    }
    return kernel.get().isLowered() ? MICRO_OPS : NATIVE;
  }
}
