/** Operators that a fusion pass writes, and quantization: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.fused;

import org.jspecify.annotations.NullMarked;
