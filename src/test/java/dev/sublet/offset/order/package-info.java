/** Tests of plans for executors that run operators in any order that keeps the dependences. */
@NullMarked
package dev.sublet.offset.order;

import org.jspecify.annotations.NullMarked;
