/** Reductions along some axes or all, scans and sorting: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.reduction;

import org.jspecify.annotations.NullMarked;
