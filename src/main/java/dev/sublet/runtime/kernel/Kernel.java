package dev.sublet.runtime.kernel;

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
}
