/** Optimizers: entries and rules. Parameters and moments are updated in place. */
@NullMarked
package dev.sublet.operator.paddle.optimizer;

import org.jspecify.annotations.NullMarked;
