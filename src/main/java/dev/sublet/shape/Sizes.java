package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;

/**
 * The bytes of every variable of a program, by dense variable index. O(1) throughout.
 *
 * <p>A size is known if the variable is a dense tensor whose element width and extents are known
 * once the batch is bound; zero extents make it zero. Otherwise there is a {@link #reason}.
 */
public final class Sizes {

  /** How a variable's shape may change from run to run. */
  public enum Extent {
    /** The same in every run. */
    FIXED,
    /** Proportional to the batch: the leading extent is bound by {@code --batch}. */
    PER_BATCH,
    /** Not known. */
    UNKNOWN
  }

  private final long batch;
  private final long[] bytes;
  private final Extent[] extents;
  private final ImmutableList<DataType> dataTypes;
  private final ImmutableList<ImmutableLongArray> dims;
  private final String[] reasons;

  Sizes(
      long batch,
      long[] bytes,
      Extent[] extents,
      ImmutableList<DataType> dataTypes,
      ImmutableList<ImmutableLongArray> dims,
      String[] reasons) {
    this.batch = batch;
    this.bytes = bytes;
    this.extents = extents;
    this.dataTypes = dataTypes;
    this.dims = dims;
    this.reasons = reasons;
  }

  /** What leading unknown extents were bound by. */
  public long batch() {
    return batch;
  }

  /** Whether the variable's bytes are known. */
  public boolean isKnown(int variable) {
    return bytes[variable] >= 0;
  }

  /** The variable's bytes, with the batch bound; -1 if unknown. */
  public long bytes(int variable) {
    return bytes[variable];
  }

  /** How the variable's bytes may change from run to run. */
  public Extent extent(int variable) {
    return extents[variable];
  }

  /** The element type; {@link DataType#UNKNOWN} for anything but a dense tensor. */
  public DataType dataType(int variable) {
    return dataTypes.get(variable);
  }

  /** The extents with the batch bound; an extent that is still unknown is -1. */
  public ImmutableLongArray dims(int variable) {
    return dims.get(variable);
  }

  /** Why the bytes are unknown, in a few words; empty if they are known. */
  public String reason(int variable) {
    return reasons[variable];
  }
}
