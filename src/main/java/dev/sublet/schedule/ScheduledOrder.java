package dev.sublet.schedule;

import com.google.common.primitives.ImmutableIntArray;

/**
 * An order of the operators of a graph.
 *
 * @param operators the operators
 * @param peak the greatest sum of live bytes while an operator runs
 * @param isLeast whether no order has a smaller peak
 */
public record ScheduledOrder(ImmutableIntArray operators, long peak, boolean isLeast) {}
