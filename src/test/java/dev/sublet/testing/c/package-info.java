/** The C compiler of the machine, for tests of generated C. */
@NullMarked
package dev.sublet.testing.c;

import org.jspecify.annotations.NullMarked;
