/** Tests of micro ops, of their texts and of what is made of them. */
@NullMarked
package dev.sublet.runtime.micro.op;

import org.jspecify.annotations.NullMarked;
