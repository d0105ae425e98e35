package dev.sublet.loop.unroll;

import dev.sublet.plan.Interval;
import java.util.List;

/**
 * A part of a web's live range, in the original program, in which the web occupies the same bytes
 * in any given copy of the loops around it.
 *
 * @param variable the web's variable
 * @param web the web
 * @param loops the repeated loops that the location depends on, outermost first
 * @param intervals the points of the segment
 */
record LiveSegment(int variable, int web, List<Integer> loops, List<Interval> intervals) {}
