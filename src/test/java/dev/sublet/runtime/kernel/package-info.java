/**
 * Tests of the calls that kernels refuse. Tests that need the list of all kernels are in {@code
 * runtime.machine}.
 */
@NullMarked
package dev.sublet.runtime.kernel;

import org.jspecify.annotations.NullMarked;
