/** The inputs and outputs of micro ops, written as text. */
@NullMarked
package dev.sublet.testing.micro;

import org.jspecify.annotations.NullMarked;
