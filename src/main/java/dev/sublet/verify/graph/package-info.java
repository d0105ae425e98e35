/**
 * The validators' own view of a program: nodes in order, definitions and uses, observed variables.
 *
 * <p>Both validators build on it. It is written apart from {@code cfg} and {@code liveness} on
 * purpose, so that a fault there is not repeated here. {@link dev.sublet.verify.graph.Interpreter}
 * walks the nodes and repeats loop bodies until the state is stable; each validator extends it with
 * a state of its own.
 *
 * <p>Out comes a {@link dev.sublet.verify.graph.ValidationResult}: a list of violations, empty if
 * nothing is wrong.
 */
@NullMarked
package dev.sublet.verify.graph;

import org.jspecify.annotations.NullMarked;
