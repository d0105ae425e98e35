package dev.sublet.execute;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;

/**
 * A tensor and where its sequences begin and end.
 *
 * @param tensor the elements
 * @param lod for each level the offsets at which sequences begin, and the end of the last; empty
 *     without sequences
 */
public record LodTensor(Tensor tensor, ImmutableList<ImmutableLongArray> lod) {

  public LodTensor {
    requireNonNull(tensor, "tensor");
    requireNonNull(lod, "lod");
  }

  /** A tensor without sequences. */
  public static LodTensor of(Tensor tensor) {
    return new LodTensor(tensor, ImmutableList.of());
  }
}
