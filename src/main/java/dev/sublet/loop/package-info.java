/**
 * Loops without copies: finds the copies with which a {@code while} loop hands values to its next
 * iteration, and lets the values stay where they were computed instead.
 *
 * <pre>{@code
 * while (c) { y = f(x); g(x); x = assign(y) }     two slots that rotate replace the copy:
 * iteration 0   reads x in slot 1, writes y to slot 0
 * iteration 1   reads x in slot 0, writes y to slot 1, and so on
 * }</pre>
 *
 * <p>The input is a program's liveness and the facts about its tensors. The output is {@link
 * dev.sublet.loop.LoopCarriedValues}, a decision with its reason for every loop-carried copy.
 * {@code UnrolledProgram} in {@code loop.unroll} is the program that the decisions lead to: each
 * body is repeated as often as it takes for every value to stay where it was computed.
 *
 * <p>Invariant: no slot is written while a value in it may still be read. Liveness over the
 * unrolled program ensures this, and the validators prove it.
 *
 * <p>Source: NNC's tensor allocation, "Loop with Efficient Tensor Allocation"; Lam, "Software
 * pipelining", 1988, for modulo variable expansion.
 */
@NullMarked
package dev.sublet.loop;

import org.jspecify.annotations.NullMarked;
