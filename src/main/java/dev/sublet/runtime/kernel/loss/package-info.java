/** Losses. */
@NullMarked
package dev.sublet.runtime.kernel.loss;

import org.jspecify.annotations.NullMarked;
