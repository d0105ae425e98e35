/**
 * Lets variables that are never live at the same time share one name.
 *
 * <p>In go a program, its liveness and the facts about its tensors; out comes a {@link
 * dev.sublet.sharing.Sharing}: the rewritten program, the bytes before and after, and for every
 * variable that was left alone the reason. Two policies find the groups: the design document's
 * pool, operator by operator, and a global one over all live ranges.
 *
 * <p>Invariant: the rewritten program computes what the original did in any runtime that looks
 * variables up by name, and never needs more bytes.
 *
 * <p>Source: Paddle's {@code memory_optimization} design (in-place operation, memory sharing,
 * sharing policy) and its inference memory pass (greedy by size).
 */
@NullMarked
package dev.sublet.sharing;

import org.jspecify.annotations.NullMarked;
