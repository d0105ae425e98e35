/**
 * Catalog entries for activation functions and softmax. Most give {@code Out} the shape of {@code
 * X}.
 */
@NullMarked
package dev.sublet.operator.paddle.activation;

import org.jspecify.annotations.NullMarked;
