/**
 * The proof that a program may run some operators again: a cheap operator a second time, or some
 * operators on one half of a batch after the other.
 *
 * <p>In go a program and its original. Out comes the program with one such change undone: {@code
 * verify.rewrite} and {@code verify.order} then compare it with the original.
 *
 * <pre>
 *   original                 rewritten                          undone
 *   a = relu(x)              a = relu(x)                        a = relu(x)
 *   …                        …                                  …
 *   y = add(a, b)            a2 = relu(x); y = add(a2, b)       y = add(a, b)
 * </pre>
 *
 * <p>Which operators run again is only a guess, from the variables that the original does not
 * declare. A change is undone only if the program computes the same without it, whatever the
 * original is.
 *
 * <p>Invariant: nothing here uses {@code cfg}, {@code liveness}, {@code peak} or the other
 * validators. Which operators compute row by row is listed in {@code shape}, beside the shapes.
 */
@NullMarked
package dev.sublet.verify.repeat;

import org.jspecify.annotations.NullMarked;
