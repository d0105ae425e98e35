/** Tests of the calls that kernels refuse; those that need the list of all kernels are with it. */
@NullMarked
package dev.sublet.runtime.kernel;

import org.jspecify.annotations.NullMarked;
