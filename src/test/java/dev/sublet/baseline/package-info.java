/**
 * Tests of what runtimes need by themselves; the real Paddle is held against it in {@code paddle}.
 */
@NullMarked
package dev.sublet.baseline;

import org.jspecify.annotations.NullMarked;
