/**
 * The operators of ONNX, under types that Paddle cannot have.
 *
 * <p>{@code OnnxOperators} adds all entries. Slots are positions: input and output {@code "0"},
 * {@code "1"}, …; an input that is left out is an empty slot. Rules that are the same operation as
 * Paddle's are Paddle's rules, called with other slots.
 *
 * <p>Source: the ONNX operator specification, opsets 7 to 22, and ONNX Runtime's contributed
 * operators.
 */
@NullMarked
package dev.sublet.operator.onnx;

import org.jspecify.annotations.NullMarked;
