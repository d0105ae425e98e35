/**
 * Operators that make tensors, or take elements elsewhere: reshape, slice, join, gather, pad, fill.
 *
 * <p>Entries and rules; the views among them say which part of the input the output is.
 */
@NullMarked
package dev.sublet.operator.paddle.shape;

import org.jspecify.annotations.NullMarked;
