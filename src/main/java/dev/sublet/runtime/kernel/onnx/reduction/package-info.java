/**
 * Reductions, orders, sums of products by equation, and transforms of signals.
 *
 * <pre>{@code
 * y = ReduceSum(x, axes)
 * }</pre>
 *
 * <p>In: calls of ONNX's operators. Out: their outputs. Source: the operator specifications of ONNX
 * up to opset 21, and ONNX Runtime where they are silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx.reduction;

import org.jspecify.annotations.NullMarked;
