/** Reductions, cumulative sums, sorting, and the order of elements. */
@NullMarked
package dev.sublet.runtime.kernel.reduction;

import org.jspecify.annotations.NullMarked;
