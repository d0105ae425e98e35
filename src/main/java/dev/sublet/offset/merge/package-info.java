/**
 * Which webs lie at one place: in-place pairs, results of exclusive branches, and views.
 *
 * <p>{@link dev.sublet.offset.merge.WebMerger} unites webs that are to have one offset, {@link
 * dev.sublet.offset.merge.ViewMerger} puts those at fixed distances of which one is a view of the
 * other, and {@link dev.sublet.offset.merge.ViewBound} says what no plan can go below, whichever of
 * these it takes.
 *
 * <p>Invariant: no write changes a byte of another web that is live and still needs it.
 */
@NullMarked
package dev.sublet.offset.merge;

import org.jspecify.annotations.NullMarked;
