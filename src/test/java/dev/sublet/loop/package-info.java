/** Tests of what loops carry from one iteration to the next, and of what is decided about it. */
@NullMarked
package dev.sublet.loop;

import org.jspecify.annotations.NullMarked;
