package dev.sublet.placement.testing;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Random;

/** Random problems of which every kind of difficulty can be asked for. */
public final class RandomProblems {

  /** What the buffers of a random problem may have. */
  public record Kind(boolean gaps, boolean windows, boolean alignments, boolean pins) {

    public static final Kind PLAIN = new Kind(false, false, false, false);
    public static final Kind FULL = new Kind(true, true, true, true);
  }

  private RandomProblems() {}

  /**
   * A problem of so many buffers within so many points. Pins are offsets that some placement has,
   * so that they can be kept.
   */
  public static PlanningProblem generate(
      Random random, int buffers, int points, int maxSize, Kind kind) {
    PlanningProblem problem = unpinned(random, buffers, points, maxSize, kind);
    return kind.pins() ? pinSome(random, problem) : problem;
  }

  private static PlanningProblem unpinned(
      Random random, int buffers, int points, int maxSize, Kind kind) {
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (int buffer = 0; buffer < buffers; buffer++) {
      long size = 1L + random.nextInt(maxSize);
      long alignment = kind.alignments() ? 1L << random.nextInt(4) : 1;
      builder.addBuffer(size, alignment, PlanningProblem.NOT_PINNED);
      int begin = random.nextInt(points);
      int end = begin + 1 + random.nextInt(Math.max(1, Math.min(points - begin, 1 + points / 3)));
      addInterval(random, builder, begin, end, size, kind);
      while (kind.gaps() && end + 2 < points && random.nextInt(3) == 0) {
        begin = end + 1 + random.nextInt(points - end - 2);
        end = begin + 1 + random.nextInt(points - begin);
        addInterval(random, builder, begin, end, size, kind);
      }
    }
    return builder.build();
  }

  private static void addInterval(
      Random random, PlanningProblem.Builder builder, int begin, int end, long size, Kind kind) {
    if (!kind.windows() || random.nextInt(4) != 0) {
      builder.addInterval(begin, end);
      return;
    }
    long low = random.nextInt((int) size);
    builder.addInterval(begin, end, low, low + 1 + random.nextInt((int) (size - low)));
  }

  /** The problem with about a quarter of its buffers pinned where some placement has them. */
  static PlanningProblem pinSome(Random random, PlanningProblem problem) {
    long[] offsets = place(random, problem);
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      long pin = random.nextInt(4) == 0 ? offsets[buffer] : PlanningProblem.NOT_PINNED;
      builder.addBuffer(problem.size(buffer), problem.alignment(buffer), pin);
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        builder.addInterval(problem.begin(i), problem.end(i), problem.low(i), problem.high(i));
      }
    }
    return builder.build();
  }

  /** Stacks the buffers by clearance in a random order. */
  private static long[] place(Random random, PlanningProblem problem) {
    long[] offsets = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      long offset = random.nextInt(3);
      for (int other = 0; other < buffer; other++) {
        long clearance = problem.clearance(other, buffer);
        if (clearance != PlanningProblem.NO_CLEARANCE) {
          offset = Math.max(offset, offsets[other] + clearance);
        }
      }
      offsets[buffer] = problem.align(buffer, offset);
    }
    return offsets;
  }
}
