/**
 * Tensors with element values.
 *
 * <p>A {@link dev.sublet.runtime.tensor.Tensor} is immutable. It consists of an element type, a
 * shape, and a primitive array that kernels read directly. Invariant: a tensor's elements never
 * change after its construction. Two tensors are equal if type, shape and every bit are equal,
 * where all NaNs are equal.
 */
@NullMarked
package dev.sublet.runtime.tensor;

import org.jspecify.annotations.NullMarked;
