/**
 * Catalog entries and shape rules for operators that create tensors or move elements: reshape,
 * slice, join, gather, pad, fill.
 *
 * <p>The entries of views state which part of the input the output is.
 */
@NullMarked
package dev.sublet.operator.paddle.shape;

import org.jspecify.annotations.NullMarked;
