/**
 * Finds the differences between two programs, or between two plans.
 *
 * <p>{@link dev.sublet.diff.ProgramDiff} pairs the operators of two programs block by block and
 * finds renamed variables; {@link dev.sublet.diff.PlanDiff} pairs the allocations of two plans.
 * Both return records that list every difference and nothing else; if there is none, the record
 * {@code isSame}.
 *
 * <p>The comparison is of structure, not of meaning: the rewrite validator decides whether one
 * program can replace another.
 */
@NullMarked
package dev.sublet.diff;

import org.jspecify.annotations.NullMarked;
