package dev.sublet.execute;

/** What an operator does with tensors. Stateless: the same call gives the same bits. */
interface Kernel {

  /**
   * The operator's outputs.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   */
  OperatorResult run(OperatorCall call);
}
