/**
 * Gives every live range of every variable its bytes in an arena.
 *
 * <p>In go a program's liveness and the facts about its tensors; out comes a {@link
 * dev.sublet.plan.MemoryPlan}. Webs that must or may lie at one place become one buffer ({@code
 * offset.merge}); each place, and if it has several memories each of them, is a {@link
 * dev.sublet.placement.problem.PlanningProblem} of its own; a planner places the buffers, of all
 * blocks together or block by block; a lower bound says how far from the best that can be. A table
 * of buffers, which has no program, is one such problem ({@link dev.sublet.offset.TablePlanner}).
 *
 * <p>Invariant: two webs that are live at one point share bytes only if they hold the same there,
 * and every offset is aligned.
 *
 * <p>Source: NNC's tensor allocation for planning block by block.
 */
@NullMarked
package dev.sublet.offset;

import org.jspecify.annotations.NullMarked;
