/**
 * The proof that what Sublet writes is right: {@link dev.sublet.verify.rewrite.RewriteValidator}
 * compares a rewritten program with its original, {@link dev.sublet.verify.plan.PlanValidator} an
 * offset plan with the program that it describes; {@link
 * dev.sublet.verify.plan.BufferTableValidator} checks offsets of buffers without a program.
 *
 * <p>In go programs, a plan, the operator catalog and sizes; out comes a {@link
 * dev.sublet.verify.graph.ValidationResult}, a list of violations that is empty if all is well.
 * Both run the program abstractly: the first over "which rewritten variable holds the value of
 * which original one", after unrolling the original as the rewritten one is, the second over "which
 * bytes hold the value of which variable".
 *
 * <p>Invariant: nothing here imports {@code cfg}, {@code liveness}, {@code sharing}, {@code offset}
 * or {@code loop}. Node numbers, scopes, observed variables and exclusive branches are found anew,
 * so that a fault in those packages is not repeated here. When in doubt the validators reject.
 *
 * <p>Source: translation validation as for register allocation in verified compilers (Rideau and
 * Leroy, "Validating register allocation and spilling", 2010).
 */
@NullMarked
package dev.sublet.verify;

import org.jspecify.annotations.NullMarked;
