package dev.sublet.program;

import static java.util.Objects.requireNonNull;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;

/**
 * The declared type of a dense tensor.
 *
 * @param dataType the element type
 * @param dims the extents, outermost first; -1 means unknown until the program runs, as does any
 *     other negative number in a file. Empty means that the writer recorded no shape or, since
 *     Paddle 2.5, that the tensor is a scalar; the file does not distinguish the two
 * @param lodLevel the number of levels of LoD, that is, of variable-length sequence information
 */
public record TensorType(DataType dataType, ImmutableLongArray dims, int lodLevel) {

  /**
   * The greatest rank of a tensor: the limit of NumPy; Paddle's limit is nine. A declaration with
   * more extents is damaged, and would cost time.
   */
  public static final int MAX_RANK = 64;

  public TensorType {
    requireNonNull(dataType, "dataType");
    requireNonNull(dims, "dims");
  }

  /** Whether the first extent, the number of rows, is unknown. {@code [-1, 3, 4]} has open rows. */
  public boolean hasOpenRows() {
    return !dims.isEmpty() && dims.get(0) < 0;
  }

  /**
   * Returns the number of elements if each unknown extent is 1; {@link Long#MAX_VALUE} if there are
   * more. {@code [-1, 3, 4]} has 12. O(rank).
   */
  public long minElements() {
    long elements = 1;
    for (int axis = 0; axis < dims.length(); axis++) {
      long extent = dims.get(axis);
      elements = LongMath.saturatedMultiply(elements, extent < 0 ? 1 : extent);
    }
    return elements;
  }

  /** Returns, for example, {@code FP32[-1, 3, 224, 224]}. */
  @Override
  public String toString() {
    return dataType + dims.toString() + (lodLevel == 0 ? "" : " lod " + lodLevel);
  }
}
