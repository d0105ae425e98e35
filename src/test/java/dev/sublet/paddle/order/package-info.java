/** Paddle programs whose operators run in another order, in the real runtime. */
@NullMarked
package dev.sublet.paddle.order;

import org.jspecify.annotations.NullMarked;
