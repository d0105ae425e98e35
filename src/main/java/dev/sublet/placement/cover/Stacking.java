package dev.sublet.placement.cover;

import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Puts buffers on top of each other in a given order: each at the height that those before it have
 * reached where it is live. Room below an earlier buffer is not looked for; that is what makes it
 * fast, and what makes the order matter.
 *
 * <p>Pinned buffers are where they are from the start. They do not raise the profile, so that the
 * bytes below a pin can be used: a buffer that meets one on its way up goes above it.
 *
 * <p>O(intervals × log) without pins; with them also O(pinned buffers live with it, squared) for a
 * buffer, as a rule linear.
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
   * The offsets of the buffers by index.
   *
   * @param order every buffer once; where the pinned ones stand does not matter
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

  /** The lowest offset from the given one at which the buffer is clear of every pinned one. */
  private long passPins(int buffer, long from) {
    int hits = 0;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      met = pins.collect(problem.begin(i), problem.end(i), met, hits);
      hits = pins.hits();
    }
    long offset = from;
    // Going above one pin can bring the buffer into another that it was below, so once more; each
    // round leaves at least one pin below for good.
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
