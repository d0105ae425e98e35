/**
 * Shape inference: the values that shape rules compute with.
 *
 * <p>A {@link dev.sublet.operator.infer.ShapeCall} is one call of an operator with the abstract
 * shapes of its inputs. A {@link dev.sublet.operator.infer.ShapeRule} reads the call and sets the
 * abstract shapes of the outputs. An extent is a number or a {@link
 * dev.sublet.operator.infer.SymbolicExtent}: a sum of products of unknown extents.
 *
 * <pre>
 *   x: [n, 3, 2h]   pool2d, stride 2   out: [n, 3, h]
 * </pre>
 *
 * <p>The helpers here ({@code ElementwiseShapes}, {@code GradientShapes}, {@code SlidingWindows},
 * …) serve the rules of several families.
 *
 * <p>Invariant: a rule sets only shapes that are right for every value of the unknown extents. If
 * an input contradicts the operator, the rule throws {@link
 * dev.sublet.operator.infer.ShapeMismatchException}. If the result cannot be known, the rule throws
 * {@link dev.sublet.operator.infer.UnknownShapeException}.
 */
@NullMarked
package dev.sublet.operator.infer;

import org.jspecify.annotations.NullMarked;
