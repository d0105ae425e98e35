/** Losses, metrics and samplers: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.loss;

import org.jspecify.annotations.NullMarked;
