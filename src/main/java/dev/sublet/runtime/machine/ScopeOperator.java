package dev.sublet.runtime.machine;

import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Step;

/**
 * The code of an operator that a kernel cannot express, because it needs the scope or the run: it
 * uses arrays, rank tables, feeds, fetched values, random numbers, or variables themselves.
 */
interface ScopeOperator {

  /**
   * Runs the operator.
   *
   * @throws OperatorException if it cannot run on its arguments
   */
  void run(Step step, Machine machine);
}
