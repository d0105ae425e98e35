package dev.sublet.loop;

import dev.sublet.plan.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a web of the original program that is at one place in each copy of the loops around it.
 *
 * @param variable the web's variable
 * @param web the web
 * @param position what the web has to do with a ring, if anything
 * @param loops the repeated loops that the place depends on, outermost first
 * @param intervals when
 */
record LiveSegment(
    int variable,
    int web,
    @Nullable RotationPosition position,
    List<Integer> loops,
    List<Interval> intervals) {}
