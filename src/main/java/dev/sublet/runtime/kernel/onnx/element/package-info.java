/**
 * Functions of each element, with broadcast; casts, softmax, quantization.
 *
 * <pre>{@code
 * y = Where(c, a, b)   // NumpyBroadcast repeats the inputs to their common shape
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.element;

import org.jspecify.annotations.NullMarked;
