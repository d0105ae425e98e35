package dev.sublet.paddle.runtime;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;
import java.util.Optional;

/**
 * What a tensor was like when an operator had written it.
 *
 * @param type the element type; empty for a tensor that only got a shape and no memory, such as an
 *     {@code XShape}, or the {@code SavedMean} of a batch norm in inference
 * @param dims the extents, outermost first
 * @param lod for each level the offsets at which sequences begin, and the end of the last
 */
public record ObservedTensor(
    Optional<DataType> type, ImmutableLongArray dims, ImmutableList<ImmutableLongArray> lod) {

  public ObservedTensor {
    requireNonNull(type, "type");
    requireNonNull(dims, "dims");
    requireNonNull(lod, "lod");
  }

  /** Whether the tensor has memory of its own, and so costs bytes. */
  public boolean hasMemory() {
    return type.isPresent();
  }
}
