/** Files of other tools, and what is said about them. */
@NullMarked
package dev.sublet.codec.foreign;

import org.jspecify.annotations.NullMarked;
