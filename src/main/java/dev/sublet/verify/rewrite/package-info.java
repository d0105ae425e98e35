/**
 * The proof that a rewritten program computes what its original computes.
 *
 * <p>In go the original and the rewritten program; the original is first unrolled as the rewritten
 * one is. {@code ValueNumberingInterpreter} then runs both at once and keeps, for each rewritten
 * variable, the original variable whose value it holds.
 *
 * <pre>
 *   original           rewritten          after it, t holds
 *   a = relu(x)        t = relu(x)        a
 *   b = tanh(a)        t = tanh(t)        b
 * </pre>
 *
 * <p>Invariant: nothing here uses {@code verify.plan}.
 */
@NullMarked
package dev.sublet.verify.rewrite;

import org.jspecify.annotations.NullMarked;
