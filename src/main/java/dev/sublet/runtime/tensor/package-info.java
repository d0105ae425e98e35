/**
 * Tensors with values.
 *
 * <p>In go elements and a shape; out comes an immutable {@link dev.sublet.runtime.tensor.Tensor},
 * which kernels read through its primitive array. Invariant: a tensor's elements never change after
 * it is made; two tensors are equal if type, shape and every bit are.
 */
@NullMarked
package dev.sublet.runtime.tensor;

import org.jspecify.annotations.NullMarked;
