package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.TensorBytes;

/**
 * One value of a variable: what a feed, a parameter or an operator gives it.
 *
 * @param name a name that no other value has: the variable's name, with a number if the variable
 *     has several values
 * @param tensor type, shape and sequences; the elements if they do not depend on feeds
 * @param isConstant whether the value is data of the C program; if not, it is in the arena
 */
public record TracedValue(String name, LodTensor tensor, boolean isConstant) {

  public TracedValue {
    requireNonNull(name, "name");
    requireNonNull(tensor, "tensor");
  }

  public ElementType type() {
    return tensor.tensor().type();
  }

  /** The bytes of the elements. */
  public long bytes() {
    return TensorBytes.size(type(), tensor.tensor().shape());
  }
}
