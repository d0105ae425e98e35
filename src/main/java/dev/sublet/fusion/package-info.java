/**
 * The freedom that Paddle's graph passes ({@code ir_optim}) take with a program: which operators
 * they may replace, when the new ones run, and which declared shapes they read.
 *
 * <pre>
 *   c = conv2d(x); y = batch_norm(c); d = conv2d(z); …; s = elementwise_add(y, …)     saved
 *   c = conv2d(x); d = conv2d(z); …; y = elementwise_add(c, b); s = elementwise_add(y, …)   run
 * </pre>
 *
 * <p>In the example, {@code d} must not have the name {@code c}. The passes order operators by data
 * dependences only, so the write of {@code d} comes before the last read of {@code c}.
 *
 * <p>The input is the control-flow graph; the output is a {@link dev.sublet.fusion.GraphPasses}.
 * {@code sharing} turns it into longer occupations of names and into shapes that names must
 * declare.
 *
 * <p>Invariant: whichever of the default passes are applied, and to whichever of their matches, a
 * sharing that respects the result leaves every read with the value that it has in the original
 * after the same passes.
 *
 * <p>Source: the 26 passes of Paddle Inference 2.3 on the CPU and the later ones, by reading;
 * confirmed by runs, see docs/fusion.md.
 */
@NullMarked
package dev.sublet.fusion;

import org.jspecify.annotations.NullMarked;
