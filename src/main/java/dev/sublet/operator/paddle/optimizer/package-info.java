/** Catalog entries and shape rules for optimizers. Parameters and moments are updated in place. */
@NullMarked
package dev.sublet.operator.paddle.optimizer;

import org.jspecify.annotations.NullMarked;
