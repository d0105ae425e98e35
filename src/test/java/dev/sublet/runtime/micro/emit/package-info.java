/** Tests of the C that is emitted: a compiler and the interpreter judge it. */
@NullMarked
package dev.sublet.runtime.micro.emit;

import org.jspecify.annotations.NullMarked;
