/**
 * Decides which accesses surely come before which, in the order in which a program's operators may
 * run.
 *
 * <pre>{@code
 * a = f(x); b = g(x); c = h(a, b)     sequential: f, g, h     parallel: f and g, then h
 * }</pre>
 *
 * <p>Under the sequential order the points of the live ranges suffice. Under the parallel order
 * only data dependences are kept: {@link dev.sublet.offset.order.AccessOrder} answers for webs, and
 * {@link dev.sublet.offset.order.ConcurrentPairs} makes a problem in which buffers conflict that
 * operators could use at the same time.
 */
@NullMarked
package dev.sublet.offset.order;

import org.jspecify.annotations.NullMarked;
