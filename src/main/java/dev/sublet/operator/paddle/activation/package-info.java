/** Activation functions: entries. Most write {@code Out} in the shape of {@code X}. */
@NullMarked
package dev.sublet.operator.paddle.activation;

import org.jspecify.annotations.NullMarked;
