/** Tests of the loop nests and of their texts. */
@NullMarked
package dev.sublet.runtime.micro.ir;

import org.jspecify.annotations.NullMarked;
