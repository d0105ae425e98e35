/** Reductions, norms, cumulative sums, and sorting. */
@NullMarked
package dev.sublet.runtime.kernel.reduction;

import org.jspecify.annotations.NullMarked;
