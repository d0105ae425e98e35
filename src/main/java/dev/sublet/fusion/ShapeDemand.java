package dev.sublet.fusion;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The shape that a name must declare so that graph passes match as in the original.
 *
 * @param rank the rank to declare; -1 if any rank will do
 * @param dims all extents to declare; null if any extents will do
 */
public record ShapeDemand(int rank, @Nullable ImmutableLongArray dims) {

  /** Any shape will do. */
  public static final ShapeDemand NONE = new ShapeDemand(-1, null);

  static ShapeDemand rankOf(TensorType type) {
    return new ShapeDemand(type.dims().length(), null);
  }

  /** The demand for all extents of a declaration. */
  public static ShapeDemand allOf(TensorType type) {
    return new ShapeDemand(type.dims().length(), type.dims());
  }

  /** The demand for both, or null if no declaration meets both. */
  public @Nullable ShapeDemand and(ShapeDemand other) {
    if (isNone()) {
      return other;
    }
    if (other.isNone()) {
      return this;
    }
    boolean clashes = dims != null && other.dims != null && !dims.equals(other.dims);
    return rank != other.rank || clashes ? null : dims != null ? this : other;
  }

  /** Whether any shape will do. */
  public boolean isNone() {
    return rank < 0 && dims == null;
  }

  /** Whether a declaration meets the demand. */
  public boolean isMetBy(TensorType type) {
    return (rank < 0 || rank == type.dims().length()) && (dims == null || dims.equals(type.dims()));
  }
}
