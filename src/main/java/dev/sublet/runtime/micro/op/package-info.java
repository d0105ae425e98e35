/**
 * Micro ops: a small set of tensor operations from which all other operators are composed.
 *
 * <p>The input is a short description of an operator, built by {@link
 * dev.sublet.runtime.micro.op.MicroGraphBuilder} or parsed from text. The result is a {@link
 * dev.sublet.runtime.micro.op.MicroGraph}. From a graph, {@link
 * dev.sublet.runtime.micro.op.EmitProgram} generates loop nests and {@link
 * dev.sublet.runtime.micro.op.Differentiate} generates the loop nests of its gradients. Invariant:
 * types and ranks of a graph are checked when it is built, and every extent is an expression over
 * extents of inputs, parameters and numbers.
 *
 * <p>Source: "NNC Micro Ops" (seed 003); the operations are those of Jittor.
 */
@NullMarked
package dev.sublet.runtime.micro.op;

import org.jspecify.annotations.NullMarked;
