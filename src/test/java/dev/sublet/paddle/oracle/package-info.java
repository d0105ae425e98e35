/** Single operator calls on the real Paddle, compared with the kernels and the catalog. */
@NullMarked
package dev.sublet.paddle.oracle;

import org.jspecify.annotations.NullMarked;
