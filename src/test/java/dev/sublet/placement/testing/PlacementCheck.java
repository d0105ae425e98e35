package dev.sublet.placement.testing;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;

/** Judges placements by comparing every interval with every other. */
public final class PlacementCheck {

  private PlacementCheck() {}

  /**
   * Fails unless every buffer is at its pin or at a multiple of its alignment, no byte is occupied
   * twice at a point, and the arena is what it is said to be and at least its lower bound.
   */
  public static void assertValid(PlanningProblem problem, Placement placement) {
    long[] offsets = placement.offsets().toArray();
    assertValid(problem, offsets);
    assertWithMessage("arena").that(placement.arenaBytes()).isEqualTo(arena(problem, offsets));
    assertWithMessage("lower bound").that(placement.lowerBound()).isAtMost(placement.arenaBytes());
  }

  public static void assertValid(PlanningProblem problem, long[] offsets) {
    String text = ProblemText.print(problem);
    assertWithMessage(text).that(offsets).hasLength(problem.bufferCount());
    for (int a = 0; a < offsets.length; a++) {
      assertWithMessage("offset of %s in\n%s", a, text).that(offsets[a]).isAtLeast(0);
      assertWithMessage("alignment of %s in\n%s", a, text)
          .that(offsets[a] % problem.alignment(a))
          .isEqualTo(0);
      if (problem.isPinned(a)) {
        assertWithMessage("pin of %s in\n%s", a, text).that(offsets[a]).isEqualTo(problem.pin(a));
      }
      for (int b = 0; b < a; b++) {
        assertWithMessage(
                "%s at %s and %s at %s overlap in\n%s", a, offsets[a], b, offsets[b], text)
            .that(overlap(problem, offsets, a, b))
            .isFalse();
      }
    }
  }

  private static boolean overlap(PlanningProblem problem, long[] offsets, int a, int b) {
    for (int i = problem.firstInterval(a); i < problem.endInterval(a); i++) {
      for (int j = problem.firstInterval(b); j < problem.endInterval(b); j++) {
        if (problem.begin(i) < problem.end(j)
            && problem.begin(j) < problem.end(i)
            && offsets[a] + problem.low(i) < offsets[b] + problem.high(j)
            && offsets[b] + problem.low(j) < offsets[a] + problem.high(i)) {
          return true;
        }
      }
    }
    return false;
  }

  public static long arena(PlanningProblem problem, long[] offsets) {
    long end = 0;
    for (int i = 0; i < offsets.length; i++) {
      end = Math.max(end, offsets[i] + problem.size(i));
    }
    return end;
  }
}
