/**
 * The executor: runs programs on real tensors. It is the oracle of the project, because the
 * original program, the rewritten program, and both inside their arenas must give equal bits.
 *
 * <p>In go a program, its feeds and parameters, and perhaps a plan; out come the fetched tensors.
 * {@code Machine} runs blocks, control flow, arrays and scopes; {@code Kernels} lists the families
 * of kernels for everything else.
 *
 * <p>Invariant: an operator without an implementation is an error before anything runs.
 */
@NullMarked
package dev.sublet.runtime.machine;

import org.jspecify.annotations.NullMarked;
