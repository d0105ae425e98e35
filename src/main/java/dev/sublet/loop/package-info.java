/**
 * Loops that copy nothing: which variables a {@code while} hands from one iteration to the next,
 * and the program with its body unrolled so that no copy is needed for that.
 *
 * <p>In go a program's liveness and the facts about its tensors; out come {@link
 * dev.sublet.loop.LoopCarriedValues}, a decision with its reason for every carried variable, and
 * {@link dev.sublet.loop.UnrolledProgram}, the program with as many copies of each body as it takes
 * for every value to stay where it was computed.
 *
 * <p>Invariant: a place is never written while a value in it may still be read; that is left to
 * liveness over the unrolled program, and proved by the validators.
 *
 * <p>Source: NNC's tensor allocation, "Loop with Efficient Tensor Allocation".
 */
@NullMarked
package dev.sublet.loop;

import org.jspecify.annotations.NullMarked;
