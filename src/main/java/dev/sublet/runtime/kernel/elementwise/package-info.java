/**
 * Arithmetic, comparisons, casts and scaling, mostly element by element, with Paddle's broadcast.
 */
@NullMarked
package dev.sublet.runtime.kernel.elementwise;

import org.jspecify.annotations.NullMarked;
