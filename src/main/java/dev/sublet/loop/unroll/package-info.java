/**
 * The program with repeated loop bodies, and the way back from its plan.
 *
 * <p>The decisions of {@link dev.sublet.loop.LoopCarriedValues} go in. {@link
 * dev.sublet.loop.unroll.UnrolledProgram} comes out, in one of two forms: for a runtime, or for a
 * planner, whose plan it rolls up into a plan of the original program.
 *
 * <pre>{@code
 * while (c) { y = f(x); x = y }     two slots, a and b:
 * while (c) { b = f(a); if (c) { a = f(b) } }
 * }</pre>
 *
 * <p>Invariant: in every iteration a value is in the slot of its phase, the iteration modulo the
 * number of copies of the body.
 *
 * <p>Source: Lam, "Software pipelining", 1988, for modulo variable expansion.
 */
@NullMarked
package dev.sublet.loop.unroll;

import org.jspecify.annotations.NullMarked;
