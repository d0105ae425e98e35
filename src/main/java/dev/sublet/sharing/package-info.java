/**
 * Name sharing: variables that are never live at the same time get one name.
 *
 * <pre>
 *   a = f(x); b = g(a); c = h(b)     before
 *   a = f(x); b = g(a); a = h(b)     after: c has the name a
 * </pre>
 *
 * <p>The input is a program, its liveness and the facts about its tensors; the output is a {@link
 * dev.sublet.sharing.Sharing}: the rewritten program, the bytes before and after, and the reason
 * for every variable that shares with no other. Two policies find the groups: the pool of the
 * design document, operator by operator, and a global policy over all live ranges.
 *
 * <p>Invariant: in any runtime that looks variables up by name, the rewritten program computes the
 * same values as the original. It never needs more bytes.
 *
 * <p>Source: Paddle's {@code memory_optimization} design (in-place operation, memory sharing,
 * sharing policy) and its inference memory pass (greedy by size).
 */
@NullMarked
package dev.sublet.sharing;

import org.jspecify.annotations.NullMarked;
