/**
 * Decides which webs get bytes, and which of them share bytes: in-place pairs, results of exclusive
 * branches, and views.
 *
 * <pre>{@code
 * b = relu(a)                 in-place pair: b begins where a ends, at a's offset
 * c = reshape(b)              whole view: c is b in another shape
 * d, e = split(c)             partial views: d and e are parts of c, at fixed distances
 * }</pre>
 *
 * <p>The input is the facts about a program; {@link dev.sublet.offset.merge.PlannedWebs} lists them
 * by web. The output is {@link dev.sublet.offset.merge.CoalescingChoices}: the ways to put webs
 * together that are worth a placement each, and a lower bound for all of them. {@code
 * InPlaceCoalescer} unites webs that get one offset; {@code ViewCoalescer} puts webs at fixed
 * distances if one is a view of the other.
 *
 * <p>Invariant: no write changes a byte of another web that is live and still needs it.
 */
@NullMarked
package dev.sublet.offset.merge;

import org.jspecify.annotations.NullMarked;
