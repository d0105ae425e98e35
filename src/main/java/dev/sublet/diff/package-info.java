/**
 * What is different between two programs, or between two plans.
 *
 * <p>{@link dev.sublet.diff.ProgramDiff} pairs the operators of two programs block by block and
 * finds out which variables have other names; {@link dev.sublet.diff.PlanDiff} pairs the
 * allocations of two plans. Both return records that name everything that changed and nothing that
 * did not: two inputs are the same exactly if the result {@code isSame}.
 *
 * <p>Structure is compared, not meaning: whether one program can stand for another is the rewrite
 * validator's work.
 */
@NullMarked
package dev.sublet.diff;

import org.jspecify.annotations.NullMarked;
