package dev.sublet.placement.cover;

import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Stacks buffers in a given order: each goes on top of the height that the buffers before it have
 * reached at the points where it is live. Free bytes below an earlier buffer are not used. This
 * makes the algorithm fast, and its result dependent on the order.
 *
 * <p>Pinned buffers are placed from the start. They do not raise the profile, so that the bytes
 * below a pin can be used. A buffer that would overlap a pinned one goes above it.
 *
 * <p>O(intervals × log) without pins; with pins also O(k²) per buffer that is live together with k
 * pinned ones, but usually O(k).
 *
 * <p>Source: seed 004 (LeapMind 2021), "step 2", with gaps, windows, alignments and pins added.
 */
final class Stacking {

  private final PlanningProblem problem;
  private final HeightProfile profile;
  private final long[] offsets;
  private final PlanningProblem pinned;
  private final int[] bufferOfPin;
  private final IntervalIndex pins;
  private int[] met = new int[16];

  private Stacking(PlanningProblem problem) {
    this.problem = problem;
    this.profile = new HeightProfile(problem);
    this.offsets = new long[problem.bufferCount()];
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    int[] buffers = new int[problem.hasPins() ? problem.bufferCount() : 0];
    int count = 0;
    for (int buffer = 0; buffer < buffers.length; buffer++) {
      if (problem.isPinned(buffer)) {
        offsets[buffer] = problem.pin(buffer);
        buffers[count++] = buffer;
        builder.addBuffer(problem.size(buffer));
        for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
          builder.addInterval(problem.begin(i), problem.end(i));
        }
      }
    }
    this.bufferOfPin = Arrays.copyOf(buffers, count);
    this.pinned = builder.build();
    this.pins = new IntervalIndex(pinned);
  }

  /**
   * Returns the offsets of the buffers by index.
   *
   * @param order every buffer once, with the pinned ones at any position
   */
  static long[] place(PlanningProblem problem, int[] order) {
    Stacking stacking = new Stacking(problem);
    for (int buffer : order) {
      if (!problem.isPinned(buffer)) {
        stacking.put(buffer);
      }
    }
    return stacking.offsets;
  }

  private void put(int buffer) {
    long offset = 0;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      long height = profile.highest(problem.begin(i), problem.end(i));
      offset = Math.max(offset, height - problem.low(i));
    }
    offset = problem.align(buffer, offset);
    if (pinned.bufferCount() > 0) {
      offset = passPins(buffer, offset);
    }
    offsets[buffer] = offset;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      profile.raise(problem.begin(i), problem.end(i), Math.addExact(offset, problem.high(i)));
    }
  }

  /**
   * Returns the lowest offset, from the given one on, at which the buffer overlaps no pinned one.
   */
  private long passPins(int buffer, long from) {
    int hits = 0;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      met = pins.collect(problem.begin(i), problem.end(i), met, hits);
      hits = pins.hits();
    }
    long offset = from;
    // Going above one pin can make the buffer overlap another pin that it was below, so repeat.
    // Each round leaves at least one more pin below the buffer for good.
    for (boolean moved = true; moved; ) {
      moved = false;
      for (int hit = 0; hit < hits; hit++) {
        int pin = bufferOfPin[met[hit]];
        long above = problem.pin(pin) + problem.clearance(pin, buffer);
        if (offset < above && offset + problem.clearance(buffer, pin) > problem.pin(pin)) {
          offset = problem.align(buffer, above);
          moved = true;
        }
      }
    }
    return offset;
  }
}
