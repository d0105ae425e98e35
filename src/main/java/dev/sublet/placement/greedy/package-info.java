/**
 * Planners that place buffers one by one, never to move again; what production runtimes use.
 *
 * <p>They differ in their order and in the gap that they pick; where the gaps are is kept by time
 * ({@code OccupiedBytes}) and found by one sweep over sorted stretches, so that they are exact on
 * hundreds of thousands of buffers. {@link dev.sublet.placement.greedy.GreedyPlanners} has the
 * planners; {@link dev.sublet.placement.greedy.Gaps} is for who places buffers one by one himself.
 *
 * <p>Source: TFLite, TVM, XLA, IREE; each planner names its own.
 */
@NullMarked
package dev.sublet.placement.greedy;

import org.jspecify.annotations.NullMarked;
