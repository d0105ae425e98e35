/** A text language for programs, so that a test reads as a specification. */
@NullMarked
package dev.sublet.testing.text;

import org.jspecify.annotations.NullMarked;
