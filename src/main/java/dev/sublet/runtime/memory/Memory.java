package dev.sublet.runtime.memory;

import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The storage of the variables' tensors during a run.
 *
 * <p>For each operator that is not a control operator, the calls come in this order: {@link #skip};
 * unless it returns true, {@link #prepare}, then the {@link #read}s, the {@link #write}s, and
 * {@link #finish}.
 */
public interface Memory {

  /**
   * Sets the number of iterations that a loop has completed: 0 when it starts, one more after each
   * iteration.
   *
   * @param block the body block of the {@code while} operator
   */
  void setIterations(int block, long count);

  /**
   * Whether an operator need not run because it is a copy whose value is already in place. If so,
   * its output then has the value.
   *
   * @throws OperatorException if the plan skips the operator although it must run
   */
  boolean skip(Step step);

  /**
   * Prepares the memory for an operator's writes, before its inputs are read. From then on the old
   * values of the outputs are undefined.
   */
  void prepare(Step step);

  /**
   * Returns the tensor of an instance at a program point; null if nothing has written it.
   *
   * @throws OperatorException if the memory has no location for it at the point
   */
  @Nullable LodTensor read(Cell cell, int point);

  /**
   * Returns a tensor with the type, shape and LoD of an instance's tensor. Its elements are
   * undefined. Null if nothing has written the tensor.
   */
  @Nullable LodTensor readShape(Cell cell, int point);

  /**
   * Returns the tensor that an output has before the operator writes a part of it. Its elements are
   * undefined if nothing reads the output later, so that the memory may have no location for them.
   */
  default @Nullable LodTensor readOld(Cell cell, int point) {
    return read(cell, point);
  }

  /**
   * Sets the tensor of an instance.
   *
   * @throws OperatorException if the memory has no location for it at the point, or one that is too
   *     small
   */
  void write(Cell cell, int point, LodTensor tensor);

  /**
   * Returns an element of an array at a program point; null if nothing has written the element.
   *
   * @param index 0 to the number of elements - 1
   * @throws OperatorException if the memory has no location for it at the point
   */
  @Nullable LodTensor element(Cell array, int point, int index);

  /**
   * Sets an element of an array. The array grows as needed.
   *
   * @param index the position, from 0
   * @throws OperatorException if the memory has no location for it at the point, or one that is too
   *     small
   */
  void setElement(Cell array, int point, int index, LodTensor tensor);

  /** Returns the elements of an array at a program point; null where nothing has written one. */
  default List<@Nullable LodTensor> elements(Cell array, int point) {
    List<@Nullable LodTensor> elements = new ArrayList<>();
    for (int i = 0; i < array.array.size(); i++) {
      elements.add(element(array, point, i));
    }
    return elements;
  }

  /**
   * Replaces the elements of an array; null for an index without an element.
   *
   * @throws OperatorException if the memory has no location for it at the point, or one that is too
   *     small
   */
  void setElements(Cell array, int point, List<@Nullable LodTensor> elements);

  /** Removes an instance's tensor. */
  void clear(Cell cell);

  /** Removes the LoD of an instance's tensor, if there is a tensor. */
  void clearLod(Cell cell);

  /**
   * Checks the memory after an operator's writes.
   *
   * @throws OperatorException if the writes have changed bytes that they must not change
   */
  void finish(Step step);

  /** Whether the memory has a location for the instance at the point. */
  boolean covers(Cell cell, int point);
}
