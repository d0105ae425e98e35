/**
 * Arithmetic, comparisons and logic, element by element: entries and rules.
 *
 * <p>{@code ElementwiseOperators} adds the entries; Y may be broadcast along an axis.
 */
@NullMarked
package dev.sublet.operator.paddle.elementwise;

import org.jspecify.annotations.NullMarked;
