/** Tests of the compiler: a C compiler and the executor judge it. */
@NullMarked
package dev.sublet.compile;

import org.jspecify.annotations.NullMarked;
