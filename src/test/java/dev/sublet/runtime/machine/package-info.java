/** Tests of the program interpreter. */
@NullMarked
package dev.sublet.runtime.machine;

import org.jspecify.annotations.NullMarked;
