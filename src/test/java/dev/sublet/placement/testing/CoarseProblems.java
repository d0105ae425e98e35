package dev.sublet.placement.testing;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Random;

/**
 * Random problems whose sizes, pins and alignments have common factors, and sizes that lack a few
 * bytes of that: what units, padding and remainders are about.
 */
public final class CoarseProblems {

  private CoarseProblems() {}

  /** A {@link RandomProblems} of which every byte has become a few. */
  public static PlanningProblem generate(
      Random random, int buffers, int points, int maxSize, RandomProblems.Kind kind) {
    PlanningProblem fine =
        RandomProblems.generate(
            random,
            buffers,
            points,
            maxSize,
            new RandomProblems.Kind(kind.gaps(), kind.windows(), false, false));
    int grain = 1 + random.nextInt(6);
    long common = random.nextBoolean() ? grain : 1;
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (int b = 0; b < buffers; b++) {
      long size = grain * fine.size(b) - (random.nextInt(3) == 0 ? random.nextInt(grain) : 0);
      long alignment = common * (kind.alignments() ? 1 + random.nextInt(4) : 1);
      builder.addBuffer(size, alignment, PlanningProblem.NOT_PINNED);
      for (int i = fine.firstInterval(b); i < fine.endInterval(b); i++) {
        long high = Math.min(size, grain * fine.high(i));
        builder.addInterval(fine.begin(i), fine.end(i), grain * fine.low(i), high);
      }
    }
    PlanningProblem problem = builder.build();
    return kind.pins() ? RandomProblems.pinSome(random, problem) : problem;
  }
}
