/**
 * Operators that create tensors or move elements: fill, reshape, transpose, slice, join, pad,
 * repeat, gather, scatter.
 */
@NullMarked
package dev.sublet.runtime.kernel.shape;

import org.jspecify.annotations.NullMarked;
