/**
 * A simulator of programs over symbolic values: the oracle that shares no code with the library.
 */
@NullMarked
package dev.sublet.testing.simulate;

import org.jspecify.annotations.NullMarked;
