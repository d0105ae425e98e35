/** Generators of random programs. */
@NullMarked
package dev.sublet.testing.random;

import org.jspecify.annotations.NullMarked;
