/** Tests of the program interpreter. */
@NullMarked
package dev.sublet.execute;

import org.jspecify.annotations.NullMarked;
