/**
 * The executor: runs programs on real tensors. It is the test oracle of the project: the original
 * program, the rewritten program, and both in their arenas must compute the same bits.
 *
 * <p>The input is a program with its feeds and parameters, and optionally a memory plan; the output
 * is the fetched tensors. {@code Machine} runs blocks, control flow, arrays and scopes; {@code
 * Kernels} lists the families of kernels for everything else.
 *
 * <p>Invariant: an operator without an implementation is reported as an error before any operator
 * runs.
 */
@NullMarked
package dev.sublet.runtime.machine;

import org.jspecify.annotations.NullMarked;
