package dev.sublet.runtime.machine;

import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Step;

/**
 * What an operator does that deals with more than tensors: arrays, orderings, what is fed and
 * fetched, or variables themselves.
 */
interface ScopeOperator {

  /**
   * Runs the operator.
   *
   * @throws OperatorException if it cannot run on what it was given
   */
  void run(Step step, Machine machine);
}
