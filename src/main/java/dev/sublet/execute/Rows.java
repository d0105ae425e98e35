package dev.sublet.execute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;

/** Tensors as rows along their first axis, and sequences of rows. */
final class Rows {

  private Rows() {}

  /** The elements of a row. */
  static int width(Tensor tensor) {
    return (int) Shapes.count(tensor.shape().toArray(), 1, tensor.rank());
  }

  /** The rows of a tensor that have these numbers, in this order. O(elements of the result). */
  static Tensor gather(Tensor tensor, ImmutableLongArray rows) {
    long[] shape = Shapes.with(tensor.shape().toArray(), 0, rows.length());
    Tensor out = Tensor.zeros(tensor.type(), ImmutableLongArray.copyOf(shape));
    int width = width(tensor);
    for (int i = 0; i < rows.length(); i++) {
      ElementWriter.copy(tensor, (int) rows.get(i) * width, out, i * width, width);
    }
    return out;
  }

  /**
   * Where the sequences of the innermost level begin, and the end of the last.
   *
   * @throws OperatorException if the tensor has no sequences
   */
  static ImmutableLongArray offsets(LodTensor tensor) {
    if (tensor.lod().isEmpty()) {
      throw new OperatorException("a tensor without sequences");
    }
    return tensor.lod().get(tensor.lod().size() - 1);
  }

  /** Offsets that cut every row off the others: 0, 1, 2, … */
  static ImmutableLongArray single(long rows) {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    for (long i = 0; i <= rows; i++) {
      offsets.add(i);
    }
    return offsets.build();
  }

  /** One level of sequences. */
  static LodTensor cut(Tensor tensor, ImmutableLongArray offsets) {
    return new LodTensor(tensor, ImmutableList.of(offsets));
  }
}
