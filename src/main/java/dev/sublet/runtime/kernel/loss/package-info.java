/** Loss functions and accuracy. */
@NullMarked
package dev.sublet.runtime.kernel.loss;

import org.jspecify.annotations.NullMarked;
