/** Catalog entries and shape rules for losses, metrics, and samplers. */
@NullMarked
package dev.sublet.operator.paddle.loss;

import org.jspecify.annotations.NullMarked;
