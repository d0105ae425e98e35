/**
 * Runs programs on real tensors: the oracle of the whole project, since the original program, the
 * rewritten one and both inside their arenas must give equal bits.
 *
 * <p>In go a program, its feeds and parameters, and perhaps a plan; out comes what is fetched.
 * Straight-line operators are {@link dev.sublet.execute.Lowering}s to micro ops, one small file a
 * family; control flow, arrays, sequences and sorting are native. Invariant: an operator that has
 * no implementation is an error before anything runs; with a plan, bytes that nothing has written
 * are poison, and so is what an operator's output covers before its inputs are read.
 */
@NullMarked
package dev.sublet.execute;

import org.jspecify.annotations.NullMarked;
