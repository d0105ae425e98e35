/** Tests of micro programs from their text to their results. */
@NullMarked
package dev.sublet.runtime.micro;

import org.jspecify.annotations.NullMarked;
