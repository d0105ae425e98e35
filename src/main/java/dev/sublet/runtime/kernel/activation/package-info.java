/** Activation functions, softmax, and functions of one number. */
@NullMarked
package dev.sublet.runtime.kernel.activation;

import org.jspecify.annotations.NullMarked;
