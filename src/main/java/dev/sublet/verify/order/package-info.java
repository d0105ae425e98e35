/**
 * The proof that the operators of a program may run in another order.
 *
 * <p>In go a program and a rewritten form of it, whose names may differ. Out comes the order of the
 * original's operators that the rewritten program has, and each {@code Dependence} that this order
 * breaks. Operators may move within the first block, and within blocks that loops and branches run,
 * but not from one block to another.
 *
 * <pre>
 *   original      rewritten     order
 *   a = relu(x)   b = tanh(x)   1, 0
 *   b = tanh(x)   a = relu(x)
 * </pre>
 *
 * <p>Which operators correspond is only a guess, which need not be proved: if the order keeps all
 * dependences, then the original in this order computes what the original computes, whatever led to
 * the order. {@code verify.rewrite} then compares it with the rewritten program.
 *
 * <p>Invariant: nothing here uses {@code cfg}, {@code schedule} or the other validators.
 */
@NullMarked
package dev.sublet.verify.order;

import org.jspecify.annotations.NullMarked;
