/** Tensors in files: {@code .npy} files and the parameters of Paddle programs. */
@NullMarked
package dev.sublet.codec.tensor;

import org.jspecify.annotations.NullMarked;
