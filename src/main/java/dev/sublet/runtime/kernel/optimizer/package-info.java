/** Optimizer operators, which write parameters and moments. */
@NullMarked
package dev.sublet.runtime.kernel.optimizer;

import org.jspecify.annotations.NullMarked;
