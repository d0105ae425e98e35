/**
 * The attention operators of ONNX Runtime, and rotary embeddings.
 *
 * <pre>{@code
 * y = com.microsoft.Attention(x, w, b)
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.attention;

import org.jspecify.annotations.NullMarked;
