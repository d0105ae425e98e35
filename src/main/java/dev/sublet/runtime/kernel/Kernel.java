package dev.sublet.runtime.kernel;

/** What an operator does with tensors. Stateless: the same call gives the same bits. */
public interface Kernel {

  /**
   * The operator's outputs.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   */
  OperatorResult run(OperatorCall call);
}
