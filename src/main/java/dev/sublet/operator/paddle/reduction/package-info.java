/** Catalog entries and shape rules for reductions along some or all axes, scans, and sorting. */
@NullMarked
package dev.sublet.operator.paddle.reduction;

import org.jspecify.annotations.NullMarked;
