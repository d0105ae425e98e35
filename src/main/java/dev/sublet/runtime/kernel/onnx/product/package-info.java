/**
 * Products of matrices, convolutions and poolings, also of quantized numbers.
 *
 * <pre>{@code
 * y = Conv(x, w, b)   // the micro ops of Paddle's conv2d
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.product;

import org.jspecify.annotations.NullMarked;
