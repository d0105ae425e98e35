/** Tests of the model of Paddle's graph passes, by the names that sharing leaves alone. */
@NullMarked
package dev.sublet.fusion;

import org.jspecify.annotations.NullMarked;
