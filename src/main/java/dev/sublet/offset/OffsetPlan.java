package dev.sublet.offset;

import dev.sublet.plan.MemoryPlan;

/**
 * A program's plan, and the cost of finding it.
 *
 * @param plan the plan
 * @param nodes the number of nodes that searches have visited for its arenas; 0 if nothing was
 *     searched
 */
public record OffsetPlan(MemoryPlan plan, long nodes) {}
