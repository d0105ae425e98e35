/**
 * Computations on a second thread.
 *
 * <p>A {@link dev.sublet.concurrent.SideTask} computes one value beside the thread that started it.
 * Both read the same immutable values and share nothing that changes, so results do not depend on
 * the order in which the threads run.
 */
@NullMarked
package dev.sublet.concurrent;

import org.jspecify.annotations.NullMarked;
