/**
 * Micro ops: the few operations that all others are made of.
 *
 * <p>In goes a description in a handful of lines, built by {@link
 * dev.sublet.runtime.micro.op.MicroGraphBuilder} or read from text; out comes a {@link
 * dev.sublet.runtime.micro.op.MicroGraph}, and from it by {@link
 * dev.sublet.runtime.micro.op.EmitProgram} loop nests, and by {@link
 * dev.sublet.runtime.micro.op.Differentiate} those of its gradients. Invariant: types and ranks of
 * a graph are checked when it is built, and every extent is an expression over extents of inputs,
 * parameters and numbers.
 *
 * <p>Source: "NNC Micro Ops" (seed 003); the operations are those of Jittor.
 */
@NullMarked
package dev.sublet.runtime.micro.op;

import org.jspecify.annotations.NullMarked;
