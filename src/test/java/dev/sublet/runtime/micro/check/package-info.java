/** Tests of the rules of micro programs. */
@NullMarked
package dev.sublet.runtime.micro.check;

import org.jspecify.annotations.NullMarked;
