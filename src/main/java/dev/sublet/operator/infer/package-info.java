/**
 * Shape inference: the values that shape rules compute with.
 *
 * <p>A {@link dev.sublet.operator.infer.ShapeCall} is one call of an operator with the abstract
 * shapes of its inputs; a {@link dev.sublet.operator.infer.ShapeRule} reads it and sets the
 * abstract shapes of the outputs. An extent is a number, or a {@link
 * dev.sublet.operator.infer.SymbolicExtent}: a sum of products of unknown extents.
 *
 * <pre>
 *   x: [n, 3, 2h]   pool2d, stride 2   out: [n, 3, h]
 * </pre>
 *
 * <p>The helpers here ({@code ElementwiseShapes}, {@code GradientShapes}, {@code SlidingWindows},
 * …) serve the rules of several families.
 *
 * <p>Invariant: a rule says only what holds for every value of the unknown extents. If an input
 * contradicts the operator it throws {@link dev.sublet.operator.infer.ShapeMismatchException}; if
 * the result cannot be known it throws {@link dev.sublet.operator.infer.UnknownShapeException}.
 */
@NullMarked
package dev.sublet.operator.infer;

import org.jspecify.annotations.NullMarked;
