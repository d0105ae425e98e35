/** Catalog entries and shape rules for operators that fusion passes write, and for quantization. */
@NullMarked
package dev.sublet.operator.paddle.fused;

import org.jspecify.annotations.NullMarked;
