/** Tests of the texts of micro programs. */
@NullMarked
package dev.sublet.runtime.micro.text;

import org.jspecify.annotations.NullMarked;
