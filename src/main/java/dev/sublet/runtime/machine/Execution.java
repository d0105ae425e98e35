package dev.sublet.runtime.machine;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.LoweredKernel;
import java.util.Optional;

/** How the operators of a type are executed. */
public enum Execution {
  /** Lowered to micro ops, which are simplified and run as loops. */
  MICRO_OPS,
  /** By code of their own: control flow, arrays, sequences, sorting, random numbers. */
  NATIVE,
  /** Not at all: a program that has one cannot be run. */
  NONE;

  /**
   * How operators of a type are executed. Whether all attributes, shapes and element types can be
   * is known only when one runs; a control operator runs natively if its block is understood. O(1).
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
    return kernel.get() instanceof LoweredKernel ? MICRO_OPS : NATIVE;
  }
}
