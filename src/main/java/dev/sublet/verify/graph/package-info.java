/**
 * The view of a program that the validators share: its nodes in order, the definitions and uses of
 * its variables, and its observed variables.
 *
 * <p>A <em>node</em> is an operator; a control operator with a followed body has two nodes, a head
 * and an exit, with the nodes of the body between them:
 *
 * <pre>
 *   0 a = relu(x)    1 while (head)    2 b = tanh(a)    3 while (exit)    4 y = exp(b)
 * </pre>
 *
 * <p>Both validators build on this package. It is written separately from {@code cfg} and {@code
 * liveness} on purpose, so that a fault there is not repeated here. {@link
 * dev.sublet.verify.graph.Interpreter} visits the nodes and repeats loop bodies until the abstract
 * state no longer changes; each validator extends it with a state of its own.
 *
 * <p>The result is a {@link dev.sublet.verify.graph.ValidationResult}: a list of violations, which
 * is empty if the validator found none.
 */
@NullMarked
package dev.sublet.verify.graph;

import org.jspecify.annotations.NullMarked;
