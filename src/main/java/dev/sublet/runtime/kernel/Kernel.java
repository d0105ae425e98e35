package dev.sublet.runtime.kernel;

import dev.sublet.runtime.tensor.ElementType;
import java.util.Optional;

/**
 * The computation of an operator on tensors. A kernel is stateless: the same call returns the same
 * bits.
 */
public interface Kernel {

  /**
   * Computes the operator's outputs.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   */
  OperatorResult run(OperatorCall call);

  /** Whether the kernel translates the operator to micro ops. */
  default boolean isLowered() {
    return false;
  }

  /**
   * Returns the operator as a micro program, for calls whose tensors may lack elements; empty if
   * the kernel computes the operator in Java code of its own.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   * @throws dev.sublet.runtime.tensor.MissingElementsException if the translation depends on
   *     elements that are missing
   */
  default Optional<Translation> translate(OperatorCall call) {
    return Optional.empty();
  }

  /** Whether the kernel may be given tensors of a type; by default, if micro programs have it. */
  default boolean takes(ElementType type) {
    return type.carrier() == type;
  }
}
