/**
 * The base of the kernels of ONNX's operators, and of ONNX Runtime's own operators in the domain
 * {@code com.microsoft}: their registration for all element types, and the parts that families
 * share. Each family has a package here.
 *
 * <p>The slots of an operator are the positions of its inputs and outputs: {@code 0}, {@code 1}, …;
 * an omitted argument has an empty slot. Attributes have ONNX's names. Where the meaning of an
 * operator changed with the opset, kernels tell the versions apart by inputs and attributes; where
 * these are equal, the translation adds the opset as {@code sublet.opset}.
 *
 * <pre>{@code
 * family.numbers("Relu", lowering -> …);   // float16 and bfloat16 are computed in float32
 * }</pre>
 *
 * <p>Most kernels are lowerings to the same micro ops as those of Paddle's operators. Kernels
 * compute with the element types of micro programs only; {@link
 * dev.sublet.runtime.kernel.onnx.CarriedKernel} converts the other types.
 *
 * <p>Source: the operator specifications of ONNX up to opset 21, and ONNX Runtime where they are
 * silent. Invariant: as in package {@code kernel}.
 */
@NullMarked
package dev.sublet.runtime.kernel.onnx;

import org.jspecify.annotations.NullMarked;
