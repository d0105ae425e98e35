/**
 * The proof that an offset plan is correct for a program, or for a table of buffers.
 *
 * <p>The input is the program, its sizes and the plan. {@code PlacementInterpreter} runs the
 * program and records, for each variable, the location of its value. A write into bytes that
 * another live value needs destroys that value; a later read of it is a violation.
 *
 * <pre>
 *   plan: x at [0, 64), y at [64, 128), z at [0, 64)
 *   y = relu(x)     x is in [0, 64), y in [64, 128)
 *   z = tanh(y)     z takes [0, 64), x is lost
 *   w = add(x, z)   violation: x is read, but its bytes have another value
 * </pre>
 *
 * <p>Invariant: nothing here uses {@code verify.rewrite}.
 */
@NullMarked
package dev.sublet.verify.plan;

import org.jspecify.annotations.NullMarked;
