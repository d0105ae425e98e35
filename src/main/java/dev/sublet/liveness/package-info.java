/**
 * When each variable holds a value that may still be needed.
 *
 * <p>In go a control-flow graph and what the user wants to see at the end; out comes {@link
 * dev.sublet.liveness.Liveness}: the {@link dev.sublet.liveness.Observation} (feeds, fetched and
 * kept variables) and the {@link dev.sublet.liveness.LiveRanges}, one or more webs a variable, each
 * a list of intervals of program points. {@link dev.sublet.liveness.LiveSets} gives the textbook's
 * sets per operator instead.
 *
 * <p>Invariant: outside its ranges a variable's bytes may be overwritten without any observer
 * seeing it. Equations are iterated to a fixpoint; problem, solver and result are three types.
 *
 * <p>Source: Paddle's {@code memory_optimization} design (live variable analysis); webs as in
 * Muchnick, Advanced Compiler Design and Implementation, 16.3.3.
 */
@NullMarked
package dev.sublet.liveness;

import org.jspecify.annotations.NullMarked;
