/**
 * Gives every live range of every variable its bytes in an arena.
 *
 * <p>In go a program's liveness and the facts about its tensors; out comes a {@link
 * dev.sublet.plan.MemoryPlan}. Webs that must or may lie at one place (in-place pairs, results of
 * exclusive branches, views) become one buffer; each place, and if it has several memories each of
 * them, is a {@link dev.sublet.offset.PlanningProblem} of its own; a planner places the buffers, of
 * all blocks together or block by block; {@link dev.sublet.offset.LowerBound} says how far from the
 * best that can be. A table of buffers, which has no program, is one such problem ({@link
 * dev.sublet.offset.TablePlanner}).
 *
 * <p>Invariant: two buffers that are live at one point never overlap, and every offset is aligned.
 *
 * <p>Source: NNC's tensor allocation; the planners of TFLite, XLA and TVM; allocation as path
 * cover; MiniMalloc's search. Each planner names its own.
 */
@NullMarked
package dev.sublet.offset;

import org.jspecify.annotations.NullMarked;
