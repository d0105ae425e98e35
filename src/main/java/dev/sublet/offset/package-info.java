/**
 * Assigns bytes in an arena to every live range of every variable.
 *
 * <p>The input is a program's liveness and the facts about its tensors. The output is a {@link
 * dev.sublet.plan.MemoryPlan}. It is made in these steps:
 *
 * <ol>
 *   <li>Webs that must or may share bytes become one buffer ({@code offset.merge}).
 *   <li>The buffers of each memory space, or of each pool of one, are a {@link
 *       dev.sublet.placement.problem.PlanningProblem} of their own.
 *   <li>A planner places the buffers, of all blocks together or block by block.
 *   <li>A lower bound states how far the arena can be from the smallest one.
 * </ol>
 *
 * <p>A table of buffers, which has no program, is one such problem ({@link
 * dev.sublet.offset.TablePlanner}).
 *
 * <p>Invariant: two webs that are live at one point share bytes only if these bytes are equal
 * there, and every offset is aligned.
 *
 * <p>Source: NNC's tensor allocation for planning block by block.
 */
@NullMarked
package dev.sublet.offset;

import org.jspecify.annotations.NullMarked;
