/** Convolution, pooling, normalization, interpolation and sampling of images. */
@NullMarked
package dev.sublet.runtime.kernel.convolution;

import org.jspecify.annotations.NullMarked;
