/**
 * Layers: normalizations, losses, resampling of images, regions and boxes.
 *
 * <pre>{@code
 * y = Resize(x, sizes)   // along each axis a weighted sum of source elements
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.layer;

import org.jspecify.annotations.NullMarked;
