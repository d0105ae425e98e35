package dev.sublet.placement.testing;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * The smallest arena of a tiny problem, by trying all offsets: the buffer with the fewest offsets
 * left takes each of them in turn, and those that meet it are struck off the lists of the others. A
 * buffer with more offsets left than all others together can strike off is left out.
 */
public final class BruteForce {

  private final PlanningProblem problem;

  /** Whether buffers a and b may not be at a distance: {@code meet[a][b][distance + size of b]}. */
  private final boolean[][][] meet;

  private final boolean mayInterleave;

  private BruteForce(PlanningProblem problem, boolean mayInterleave) {
    this.problem = problem;
    this.mayInterleave = mayInterleave;
    int count = problem.bufferCount();
    meet = new boolean[count][count][];
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < count; b++) {
        int below = (int) problem.size(b);
        meet[a][b] = new boolean[a == b ? 0 : below + (int) problem.size(a)];
        for (int d = 0; d < meet[a][b].length; d++) {
          meet[a][b][d] = meet(a, b, d - below);
        }
      }
    }
  }

  /** The smallest arena of all: buffers with windows may be interleaved. */
  public static long optimum(PlanningProblem problem) {
    return new BruteForce(problem, /* mayInterleave= */ true).smallest();
  }

  /** The smallest arena in which of two buffers one has the lower offset and lies below always. */
  public static long orderedOptimum(PlanningProblem problem) {
    return new BruteForce(problem, /* mayInterleave= */ false).smallest();
  }

  private boolean meet(int a, int b, int distance) {
    boolean isBelow = distance >= 0;
    boolean isAbove = distance <= 0;
    boolean meetOnce = false;
    boolean liveTogether = false;
    for (int i = problem.firstInterval(a); i < problem.endInterval(a); i++) {
      for (int j = problem.firstInterval(b); j < problem.endInterval(b); j++) {
        if (problem.begin(i) < problem.end(j) && problem.begin(j) < problem.end(i)) {
          boolean below = problem.high(i) <= distance + problem.low(j);
          boolean above = distance + problem.high(j) <= problem.low(i);
          isBelow &= below;
          isAbove &= above;
          meetOnce |= !below && !above;
          liveTogether = true;
        }
      }
    }
    return liveTogether && (mayInterleave ? meetOnce : !isBelow && !isAbove);
  }

  private long smallest() {
    int arena = 0;
    for (int b = 0; b < problem.bufferCount(); b++) {
      arena = (int) Math.max(arena, Math.max(0, problem.pin(b)) + problem.size(b));
    }
    while (!fits(arena)) {
      arena++;
    }
    return arena;
  }

  private boolean fits(int arena) {
    boolean[][] free = new boolean[problem.bufferCount()][];
    for (int b = 0; b < free.length; b++) {
      free[b] = new boolean[arena - (int) problem.size(b) + 1];
      for (int offset = 0; offset < free[b].length; offset++) {
        free[b][offset] =
            problem.isPinned(b) ? offset == problem.pin(b) : offset % problem.alignment(b) == 0;
      }
    }
    return place(free, new boolean[free.length]);
  }

  private boolean place(boolean[][] free, boolean[] isPlaced) {
    int buffer = -1;
    int fewest = Integer.MAX_VALUE;
    for (int b = 0; b < free.length; b++) {
      int choices = isPlaced[b] ? Integer.MAX_VALUE : count(free[b]);
      if (choices < fewest && choices <= struckByOthers(isPlaced, b)) {
        buffer = b;
        fewest = choices;
      }
    }
    if (buffer < 0) {
      return true;
    }
    isPlaced[buffer] = true;
    for (int offset = 0; offset < free[buffer].length; offset++) {
      if (free[buffer][offset] && place(strike(free, isPlaced, buffer, offset), isPlaced)) {
        return true;
      }
    }
    isPlaced[buffer] = false;
    return false;
  }

  /** At most so many offsets of a buffer can the unplaced ones strike off. */
  private int struckByOthers(boolean[] isPlaced, int buffer) {
    int struck = 0;
    for (int b = 0; b < isPlaced.length; b++) {
      struck += isPlaced[b] || b == buffer ? 0 : count(meet[b][buffer]);
    }
    return struck;
  }

  private boolean[][] strike(boolean[][] free, boolean[] isPlaced, int placed, int offset) {
    boolean[][] left = new boolean[free.length][];
    for (int b = 0; b < free.length; b++) {
      left[b] = isPlaced[b] ? free[b] : Arrays.copyOf(free[b], free[b].length);
      int size = (int) problem.size(b);
      for (int d = 0; d < meet[placed][b].length && !isPlaced[b]; d++) {
        int struck = offset + d - size;
        if (meet[placed][b][d] && struck >= 0 && struck < left[b].length) {
          left[b][struck] = false;
        }
      }
    }
    return left;
  }

  private static int count(boolean[] choices) {
    int count = 0;
    for (boolean choice : choices) {
      count += choice ? 1 : 0;
    }
    return count;
  }
}
