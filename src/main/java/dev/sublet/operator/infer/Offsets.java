package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;

/**
 * Queries of sequence offsets (LoD) for the shape rules of sequence operators.
 *
 * <pre>
 *   offsets 0, 2, 5   two sequences, of lengths 2 and 3, in 5 rows
 * </pre>
 */
public final class Offsets {

  /** The reason why a shape is unknown that depends on unknown sequences. */
  public static final String UNKNOWN = "the offsets of its sequences are not known";

  private Offsets() {}

  /** Whether the tensor is known to have sequences of exactly one level, with known offsets. */
  public static boolean areOneLevel(AbstractShape tensor) {
    ImmutableList<ImmutableLongArray> lod = tensor.lod();
    return lod != null && lod.size() == 1;
  }

  /** Whether the tensor may have sequences: whether it has some, or its LoD is unknown. */
  public static boolean mayExist(AbstractShape tensor) {
    ImmutableList<ImmutableLongArray> lod = tensor.lod();
    return lod == null || !lod.isEmpty();
  }

  /**
   * The offsets of all levels, the coarsest level first.
   *
   * @throws UnknownShapeException if they are not known, or there are none
   */
  public static ImmutableList<ImmutableLongArray> levels(AbstractShape tensor) {
    ImmutableList<ImmutableLongArray> lod = tensor.lod();
    if (lod == null) {
      throw new UnknownShapeException(UNKNOWN);
    }
    if (lod.isEmpty()) {
      throw new UnknownShapeException("the tensor has no sequences");
    }
    return lod;
  }

  /**
   * The offsets of one level; level -1 is the finest one.
   *
   * @throws UnknownShapeException if they are not known
   */
  public static ImmutableLongArray level(AbstractShape tensor, int level) {
    ImmutableList<ImmutableLongArray> lod = levels(tensor);
    if (level >= lod.size()) {
      throw new UnknownShapeException("the tensor has no sequences of level " + level);
    }
    return lod.get(level < 0 ? lod.size() - 1 : level);
  }

  /** The number of sequences of a level of the tensor; level -1 is the finest one. */
  public static SymbolicExtent count(ShapeCall call, AbstractShape tensor, int level) {
    if (tensor.lod() == null) {
      return call.unknown("sequences", UNKNOWN);
    }
    return call.counted(levels(tensor), "sequences " + level, level(tensor, level).length() - 1);
  }

  /** The length of the longest sequence of a level; level -1 is the finest one. */
  public static SymbolicExtent longest(ShapeCall call, AbstractShape tensor, int level) {
    if (tensor.lod() == null) {
      return call.unknown("longest", UNKNOWN);
    }
    ImmutableLongArray offsets = level(tensor, level);
    long longest = 0;
    for (int i = 1; i < offsets.length(); i++) {
      longest = Math.max(longest, offsets.get(i) - offsets.get(i - 1));
    }
    return call.counted(levels(tensor), "longest " + level, longest);
  }

  /** Returns the offsets of sequences with the given lengths. */
  public static ImmutableLongArray ofLengths(Iterable<Long> lengths) {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    long end = 0;
    offsets.add(end);
    for (long length : lengths) {
      end += length;
      offsets.add(end);
    }
    return offsets.build();
  }

  /** Returns the lengths of the sequences with the given offsets. */
  public static ImmutableList<Long> lengths(ImmutableLongArray offsets) {
    ImmutableList.Builder<Long> lengths = ImmutableList.builder();
    for (int i = 1; i < offsets.length(); i++) {
      lengths.add(offsets.get(i) - offsets.get(i - 1));
    }
    return lengths.build();
  }

  /** Returns the last offset, the number of rows. */
  public static long last(ImmutableLongArray offsets) {
    return offsets.get(offsets.length() - 1);
  }
}
