/** Operators that move elements: reshape, slice, join, pad, repeat, scatter. */
@NullMarked
package dev.sublet.runtime.kernel.shape;

import org.jspecify.annotations.NullMarked;
