/**
 * Catalog entries and shape rules for arithmetic, comparisons, logic, casts and scaling, mostly
 * element by element.
 *
 * <p>{@code ElementwiseOperators} adds the entries; Y may be broadcast along an axis.
 */
@NullMarked
package dev.sublet.operator.paddle.elementwise;

import org.jspecify.annotations.NullMarked;
