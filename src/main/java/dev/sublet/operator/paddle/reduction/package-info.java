/** Shape rules of reductions, along some axes or all. */
@NullMarked
package dev.sublet.operator.paddle.reduction;

import org.jspecify.annotations.NullMarked;
