/**
 * The proof that what Sublet writes is right: {@link dev.sublet.verify.rewrite.RewriteValidator}
 * compares a rewritten program with its original, {@link dev.sublet.verify.order.OrderValidator}
 * the order of their operators, {@link dev.sublet.verify.plan.PlanValidator} an offset plan with
 * the program that it describes; {@link dev.sublet.verify.plan.BufferTableValidator} checks offsets
 * of buffers without a program; {@link dev.sublet.verify.fusion.FusionValidator} checks that
 * Paddle's graph passes keep a rewritten program right.
 *
 * <p>In go programs, a plan, the operator catalog and sizes; out comes a {@link
 * dev.sublet.verify.graph.ValidationResult}, a list of violations that is empty if all is well. The
 * validators of rewritten programs and of plans interpret the program: one over pairs of variables
 * with the same value, after unrolling the original like the rewritten program; the other over the
 * bytes of each value.
 *
 * <p>Invariant: nothing here imports {@code cfg}, {@code liveness}, {@code fusion}, {@code
 * sharing}, {@code offset}, {@code placement} or {@code loop}. Node numbers, scopes, observed
 * variables and exclusive branches are found anew, so that a fault in those packages is not
 * repeated here. When in doubt the validators reject.
 *
 * <p>Source: translation validation as for register allocation in verified compilers (Rideau and
 * Leroy, "Validating register allocation and spilling", 2010).
 */
@NullMarked
package dev.sublet.verify;

import org.jspecify.annotations.NullMarked;
