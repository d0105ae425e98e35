/**
 * Liveness analysis: the program points at which each variable has a value that may still be read.
 *
 * <p>The input is a control-flow graph and the variables that the user observes; the output is
 * {@link dev.sublet.liveness.Liveness}. It consists of the {@link dev.sublet.liveness.Observation}
 * (feeds, fetched and kept variables) and the {@link dev.sublet.liveness.LiveRanges}: one or more
 * webs per variable, each a list of intervals of program points. {@link
 * dev.sublet.liveness.LiveSets} computes the textbook's sets per operator instead.
 *
 * <p>Invariant: outside its live ranges, the bytes of a variable may be overwritten without any
 * effect on an observed value. The equations are iterated to a fixpoint; problem, solver and result
 * are three types.
 *
 * <p>Source: Paddle's {@code memory_optimization} design (live variable analysis); webs as in
 * Muchnick, Advanced Compiler Design and Implementation, 16.3.3.
 */
@NullMarked
package dev.sublet.liveness;

import org.jspecify.annotations.NullMarked;
