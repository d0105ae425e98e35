/**
 * Operators that move, select or create elements, and the operators around the bodies of loops.
 *
 * <pre>{@code
 * y = Slice(x, starts, ends)   // an index expression for each axis
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.shape;

import org.jspecify.annotations.NullMarked;
