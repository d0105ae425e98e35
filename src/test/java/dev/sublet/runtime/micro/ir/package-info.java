/** Tests of the loop nests. */
@NullMarked
package dev.sublet.runtime.micro.ir;

import org.jspecify.annotations.NullMarked;
