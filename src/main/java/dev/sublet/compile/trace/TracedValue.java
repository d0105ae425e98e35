package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.TensorBytes;
import java.util.Optional;

/**
 * One value of a variable: what a feed, a parameter or an operator gives it.
 *
 * @param name a name that no other value has: the variable's name, with a number if the variable
 *     has several values
 * @param tensor type, shape and sequences; the elements if they do not depend on feeds
 * @param isConstant whether the value is data of the C program; if not, it is in the arena
 * @param shape the value with the extents, if they depend on data; those of the tensor are then the
 *     largest ones
 */
public record TracedValue(
    String name, LodTensor tensor, boolean isConstant, Optional<TracedValue> shape) {

  public TracedValue {
    requireNonNull(name, "name");
    requireNonNull(tensor, "tensor");
    requireNonNull(shape, "shape");
  }

  TracedValue(String name, LodTensor tensor, boolean isConstant) {
    this(name, tensor, isConstant, Optional.empty());
  }

  /** The same value, whose extents are in another value. */
  TracedValue withShape(TracedValue extents) {
    return new TracedValue(name, tensor, isConstant, Optional.of(extents));
  }

  /** The type of the elements. */
  public ElementType type() {
    return tensor.tensor().type();
  }

  /** The bytes of the elements. */
  public long bytes() {
    return TensorBytes.size(type(), tensor.tensor().shape());
  }
}
