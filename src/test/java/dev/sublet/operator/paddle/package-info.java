/** Tests of the shape rules and view rules of Paddle's operators. */
@NullMarked
package dev.sublet.operator.paddle;

import org.jspecify.annotations.NullMarked;
