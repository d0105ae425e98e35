/**
 * The proof that an offset plan is right for a program, or for a table of buffers.
 *
 * <p>In go the program, its sizes and the plan; {@code PlacementInterpreter} runs the program and
 * keeps, for each variable, the allocation that its value lies in. A write into bytes that another
 * live value needs is a violation.
 *
 * <p>Invariant: nothing here uses {@code verify.rewrite}.
 */
@NullMarked
package dev.sublet.verify.plan;

import org.jspecify.annotations.NullMarked;
