/**
 * The loop nests that micro ops become.
 *
 * <p>A {@link dev.sublet.runtime.micro.ir.MicroProgram} declares tensors and scalar parameters and
 * has functions, each a list of blocks. A {@link dev.sublet.runtime.micro.ir.LoopBlock} is one nest
 * of loops, outermost first. In each iteration a loop resets its carried variables, runs the loop
 * inside it to its end, then its own statements. There are no branches and no single assignment: a
 * block may zero a tensor and the next may add to it. All types are immutable values and print as
 * the text that {@link dev.sublet.runtime.micro.ir.MicroProgramText} reads back.
 *
 * <p>Source: "NNC Micro Ops" (seed 003).
 */
@NullMarked
package dev.sublet.runtime.micro.ir;

import org.jspecify.annotations.NullMarked;
