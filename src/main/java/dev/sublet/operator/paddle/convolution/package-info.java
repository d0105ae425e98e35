/**
 * Convolution, pooling, normalization, interpolation: entries and rules.
 *
 * <p>Extents of images follow from {@link dev.sublet.operator.infer.SlidingWindows}.
 */
@NullMarked
package dev.sublet.operator.paddle.convolution;

import org.jspecify.annotations.NullMarked;
