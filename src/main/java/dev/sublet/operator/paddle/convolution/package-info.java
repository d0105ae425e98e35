/**
 * Catalog entries and shape rules for convolution, pooling, normalization, and interpolation.
 *
 * <p>{@link dev.sublet.operator.infer.SlidingWindows} computes the extents of images.
 */
@NullMarked
package dev.sublet.operator.paddle.convolution;

import org.jspecify.annotations.NullMarked;
