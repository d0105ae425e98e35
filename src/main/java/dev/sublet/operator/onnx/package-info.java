/**
 * The catalog entries of ONNX's operators, under type names that no Paddle operator can have.
 *
 * <p>{@code OnnxOperators} adds all entries. Slots are named by position: inputs and outputs are
 * {@code "0"}, {@code "1"}, …; an omitted input is an empty slot. An operation that Paddle has too
 * uses Paddle's rule, called with the slots of ONNX.
 *
 * <p>Source: the ONNX operator specification, opsets 1 to 28, and ONNX Runtime's contributed
 * operators.
 */
@NullMarked
package dev.sublet.operator.onnx;

import org.jspecify.annotations.NullMarked;
