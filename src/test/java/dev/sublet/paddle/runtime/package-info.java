/** The real Paddle Inference 2.3.2 in a process of its own, its models and tensors. */
@NullMarked
package dev.sublet.paddle.runtime;

import org.jspecify.annotations.NullMarked;
