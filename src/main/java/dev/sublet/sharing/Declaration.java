package dev.sublet.sharing;

import dev.sublet.fusion.ShapeDemand;
import dev.sublet.program.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The declaration that a name gets: that of the largest of its variables. Graph passes read it, and
 * a variable that keeps its name keeps it, so it must meet the demands of all of them.
 *
 * @param type a declaration of a largest variable that meets {@code demand}
 * @param bytes the bytes of that variable, or its weight; more if the type states no size
 * @param demand what the passes and the variables that keep their names need of it
 */
record Declaration(TensorType type, long bytes, ShapeDemand demand) {

  /** The declaration of both together; null if no declaration serves both. */
  @Nullable Declaration with(Declaration other) {
    if (isFree() && other.isFree()) {
      return other.bytes > bytes ? other : this;
    }
    ShapeDemand both = demand.and(other.demand);
    if (both == null) {
      return null;
    }
    Declaration larger = other.bytes > bytes ? other : this;
    if (!both.isMetBy(larger.type) && other.bytes == bytes) {
      larger = other;
    }
    return both.isMetBy(larger.type) ? new Declaration(larger.type, larger.bytes, both) : null;
  }

  /** Whether any declaration that is large enough serves. */
  boolean isFree() {
    return demand.isNone();
  }

  /** Whether one declaration serves both. */
  boolean suits(Declaration other) {
    return (isFree() && other.isFree()) || with(other) != null;
  }
}
