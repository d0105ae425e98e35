package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Helpers for sequences of rows. Rows are the slices along the first axis of a tensor; {@link
 * Slices} copies them.
 */
public final class Rows {

  private Rows() {}

  /**
   * Returns the offsets at which the sequences of the innermost level begin, and the end of the
   * last sequence.
   *
   * @throws OperatorException if the tensor has no sequences
   */
  public static ImmutableLongArray offsets(LodTensor tensor) {
    if (tensor.lod().isEmpty()) {
      throw new OperatorException("a tensor without sequences");
    }
    return tensor.lod().get(tensor.lod().size() - 1);
  }

  /**
   * Checks that an input has the number of elements of {@code rows} rows of {@code width} elements.
   *
   * @throws OperatorException if not
   */
  public static void checkLike(OperatorCall call, String slot, long rows, long width) {
    Tensor tensor = call.input(slot);
    if (tensor.length() != rows * width) {
      throw new OperatorException(
          slot + " has the shape " + tensor.shape() + " for " + rows + " rows of " + width);
    }
  }

  /** Returns the offsets that make every row a sequence: 0, 1, 2, … */
  public static ImmutableLongArray single(long rows) {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    for (long i = 0; i <= rows; i++) {
      offsets.add(i);
    }
    return offsets.build();
  }

  /** Returns a tensor with one level of sequences. */
  public static LodTensor cut(Tensor tensor, ImmutableLongArray offsets) {
    return new LodTensor(tensor, ImmutableList.of(offsets));
  }
}
