/**
 * Which webs get bytes, and which of them lie at one place: in-place pairs, results of exclusive
 * branches, and views.
 *
 * <p>In go the facts about a program; {@link dev.sublet.offset.merge.PlannedWebs} holds them by
 * web. {@link dev.sublet.offset.merge.CoalescingChoices} gives the ways to put webs together that
 * are worth a placement each, and what no plan can go below whichever of them it takes. {@code
 * InPlaceCoalescer} unites webs that are to have one offset, {@code ViewCoalescer} puts those at
 * fixed distances of which one is a view of the other.
 *
 * <p>Invariant: no write changes a byte of another web that is live and still needs it.
 */
@NullMarked
package dev.sublet.offset.merge;

import org.jspecify.annotations.NullMarked;
