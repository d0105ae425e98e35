/**
 * Which accesses surely come before which, in the order in which a program's operators may run.
 *
 * <p>Under the sequential order points say all. Under the parallel order only data dependences are
 * kept: {@link dev.sublet.offset.order.AccessOrder} answers for webs, and {@link
 * dev.sublet.offset.order.ConcurrentPairs} makes a problem in which buffers conflict that operators
 * could use at the same time.
 */
@NullMarked
package dev.sublet.offset.order;

import org.jspecify.annotations.NullMarked;
