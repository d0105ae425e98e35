/** Tests of what is known of Paddle's graph passes, seen in the names that sharing leaves alone. */
@NullMarked
package dev.sublet.fusion;

import org.jspecify.annotations.NullMarked;
