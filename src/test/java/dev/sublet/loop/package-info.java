/** Tests of loop-carried values and of the decisions about them. */
@NullMarked
package dev.sublet.loop;

import org.jspecify.annotations.NullMarked;
