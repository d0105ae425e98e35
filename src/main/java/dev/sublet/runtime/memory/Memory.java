package dev.sublet.runtime.memory;

import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import org.jspecify.annotations.Nullable;

/**
 * Where the tensors of variables are during a run.
 *
 * <p>For each operator that is not control flow: {@link #skip}; unless it was skipped, {@link
 * #prepare}, then its {@link #read}s, then its {@link #write}s, then {@link #finish}.
 */
public interface Memory {

  /**
   * Takes note of how many iterations a loop has completed: 0 when it starts, one more after each.
   *
   * @param block the body block of the {@code while} operator
   */
  void setIterations(int block, long count);

  /**
   * Whether an operator need not run because what it copies is in place already; its output then
   * has it.
   *
   * @throws OperatorException if the operator was to be skipped but must not
   */
  boolean skip(Step step);

  /**
   * Gets ready for an operator's writes, before its inputs are read: from here on nothing may count
   * on what the outputs held.
   */
  void prepare(Step step);

  /**
   * The tensor that an instance holds at a program point; null if nothing has written it.
   *
   * @throws OperatorException if the memory has no place for it at the point
   */
  @Nullable LodTensor read(Cell cell, int point);

  /**
   * The same for a reader that looks at type, shape and sequences only: what the elements are is
   * undefined.
   */
  @Nullable LodTensor readShape(Cell cell, int point);

  /**
   * Gives an instance a tensor.
   *
   * @throws OperatorException if the memory has no place for it at the point, or too small a one
   */
  void write(Cell cell, int point, LodTensor tensor);

  /** Takes an instance's tensor away. */
  void clear(Cell cell);

  /** Takes the sequences of an instance's tensor away, if it holds one. */
  void clearLod(Cell cell);

  /**
   * Ends an operator.
   *
   * @throws OperatorException if its writes have changed what they must not
   */
  void finish(Step step);

  /** Whether the instance has a place at the point. */
  boolean covers(Cell cell, int point);
}
