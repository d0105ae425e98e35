/** Tensors in files: {@code .npy}, and Paddle's parameters. */
@NullMarked
package dev.sublet.codec.tensor;

import org.jspecify.annotations.NullMarked;
