/**
 * The loop-nest intermediate representation that micro ops are lowered to.
 *
 * <p>A {@link dev.sublet.runtime.micro.ir.MicroProgram} declares tensors and scalar parameters and
 * contains functions. A function is a list of blocks. A {@link
 * dev.sublet.runtime.micro.ir.LoopBlock} is one nest of loops, outermost first. Each iteration of a
 * loop resets the loop's carried variables, runs the next inner loop to its end, and then runs the
 * loop's own statements. For example, the sum of each row of {@code x}:
 *
 * <pre>
 * for i0 in 0..d(x, 0)
 *   carry c0 = sum float32
 *   for i1 in 0..d(x, 1)
 *     c0 &lt;&lt; x[i0, i1]
 *   y[i0] = c0
 * </pre>
 *
 * <p>There are no branches. A tensor may be written more than once: one block may set it to zero
 * and the next block may add to it. All types are immutable values. Their string form is the text
 * that {@link dev.sublet.runtime.micro.text.MicroProgramText} reads.
 *
 * <p>Source: "NNC Micro Ops" (seed 003).
 */
@NullMarked
package dev.sublet.runtime.micro.ir;

import org.jspecify.annotations.NullMarked;
