/** Tests of what a plan consists of. */
@NullMarked
package dev.sublet.diff;

import org.jspecify.annotations.NullMarked;
