/**
 * The proof that a rewritten program computes the same results as its original.
 *
 * <p>The input is the original and the rewritten program; the original is first unrolled like the
 * rewritten one. {@code ValueNumberingInterpreter} then runs both side by side and records which
 * original variable has the same value as which rewritten variable.
 *
 * <pre>
 *   original           rewritten          after it, t has the value of
 *   a = relu(x)        t = relu(x)        a
 *   b = tanh(a)        t = tanh(t)        b
 * </pre>
 *
 * <p>Invariant: nothing here uses {@code verify.plan}.
 */
@NullMarked
package dev.sublet.verify.rewrite;

import org.jspecify.annotations.NullMarked;
