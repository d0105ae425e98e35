package dev.sublet.program;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableLongArray;

/**
 * The declared type of a dense tensor.
 *
 * @param dataType the element type
 * @param dims the extents, outermost first; -1 is unknown until the program runs, as is any other
 *     negative number of a file. Empty means that the writer recorded no shape (or, since Paddle
 *     2.5, a scalar): the file does not tell which
 * @param lodLevel how many levels of variable-length sequence information the tensor carries
 */
public record TensorType(DataType dataType, ImmutableLongArray dims, int lodLevel) {

  /**
   * The most extents that a tensor can have: as many as for NumPy, where Paddle has at most nine. A
   * declaration of more is damaged, and would cost time.
   */
  public static final int MAX_RANK = 64;

  public TensorType {
    requireNonNull(dataType, "dataType");
    requireNonNull(dims, "dims");
  }

  /** For example {@code FP32[-1, 3, 224, 224]}. */
  @Override
  public String toString() {
    return dataType + dims.toString() + (lodLevel == 0 ? "" : " lod " + lodLevel);
  }
}
