/**
 * Recurrent layers, step by step.
 *
 * <pre>{@code
 * y, h, c = LSTM(x, w, r)
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.recurrent;

import org.jspecify.annotations.NullMarked;
