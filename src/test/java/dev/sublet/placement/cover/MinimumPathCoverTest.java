package dev.sublet.placement.cover;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.placement.problem.BitMatrix;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MinimumPathCoverTest {

  /** A random partial order: the closure of random edges from lower to higher elements. */
  private static BitMatrix randomOrder(Random random, int size, int edgePercent) {
    BitMatrix before = new BitMatrix(size);
    for (int a = size - 1; a >= 0; a--) {
      for (int b = a + 1; b < size; b++) {
        if (random.nextInt(100) < edgePercent) {
          before.set(a, b);
          for (int c = b + 1; c < before.size(); c++) {
            if (before.get(b, c)) {
              before.set(a, c);
            }
          }
        }
      }
    }
    return before;
  }

  private static int[] assertCover(BitMatrix before) {
    int[] successors = MinimumPathCover.successors(before);
    boolean[] isFollowed = new boolean[before.size()];
    for (int a = 0; a < before.size(); a++) {
      if (successors[a] >= 0) {
        assertThat(before.get(a, successors[a])).isTrue();
        assertThat(isFollowed[successors[a]]).isFalse();
        isFollowed[successors[a]] = true;
      }
    }
    return successors;
  }

  /** The most elements of which no two are comparable: Dilworth's theorem says as many paths. */
  private static int largestAntichain(BitMatrix before) {
    int best = 0;
    for (int set = 0; set < 1 << before.size(); set++) {
      if (Integer.bitCount(set) > best && isAntichain(before, set)) {
        best = Integer.bitCount(set);
      }
    }
    return best;
  }

  private static boolean isAntichain(BitMatrix before, int set) {
    for (int a = 0; a < before.size(); a++) {
      for (int b = 0; b < before.size(); b++) {
        if ((set & 1 << a) != 0 && (set & 1 << b) != 0 && before.get(a, b)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Kuhn's algorithm: one augmenting path at a time. */
  private static int countBySimpleMatching(BitMatrix before) {
    int[] owner = new int[before.size()];
    Arrays.fill(owner, -1);
    int paths = before.size();
    for (int a = 0; a < before.size(); a++) {
      paths -= augment(before, a, owner, new boolean[before.size()]) ? 1 : 0;
    }
    return paths;
  }

  private static boolean augment(BitMatrix before, int a, int[] owner, boolean[] seen) {
    for (int b = 0; b < before.size(); b++) {
      if (before.get(a, b) && !seen[b]) {
        seen[b] = true;
        if (owner[b] < 0 || augment(before, owner[b], owner, seen)) {
          owner[b] = a;
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void aChain_isOnePath_andUnrelatedElements_areOneEach() {
    assertThat(assertCover(randomOrder(new Random(0), 100, 100))[0]).isEqualTo(1);
    assertThat(MinimumPathCover.count(assertCover(randomOrder(new Random(0), 100, 100))))
        .isEqualTo(1);
    assertThat(MinimumPathCover.count(assertCover(new BitMatrix(70)))).isEqualTo(70);
    assertThat(MinimumPathCover.successors(new BitMatrix(0))).isEmpty();
  }

  /** 0 before 2 and 3, 1 before 2 only: taking 0 → 2 first must be undone. */
  @Test
  void aGreedyChoice_isUndone() {
    BitMatrix before = new BitMatrix(4);
    before.set(0, 2);
    before.set(0, 3);
    before.set(1, 2);

    assertThat(assertCover(before)).asList().containsExactly(3, 2, -1, -1).inOrder();
  }

  @Test
  void smallOrders_needAsManyPathsAsTheLargestAntichainHasElements() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      BitMatrix before = randomOrder(random, 1 + random.nextInt(11), random.nextInt(60));
      assertWithMessage("round %s", round)
          .that(MinimumPathCover.count(assertCover(before)))
          .isEqualTo(largestAntichain(before));
    }
  }

  /** Sizes around a word of the rows. */
  @Test
  void largerOrders_needAsManyPathsAsASimpleMatchingFinds() {
    Random random = new Random(2);
    for (int round = 0; round < 150; round++) {
      BitMatrix before = randomOrder(random, 40 + random.nextInt(100), 1 + random.nextInt(12));
      assertWithMessage("round %s", round)
          .that(MinimumPathCover.count(assertCover(before)))
          .isEqualTo(countBySimpleMatching(before));
    }
  }

  /** The theorem of the document: on intervals the greedy grouping is a minimum path cover. */
  @Test
  void onIntervals_thereAreAsManyPathsAsGreedyGroups() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      PlanningProblem problem =
          RandomProblems.generate(
              random, 1 + random.nextInt(90), 60, 20, RandomProblems.Kind.PLAIN);
      assertWithMessage(ProblemText.print(problem))
          .that(PathCoverPlanner.count(OrderGroups.find(problem)))
          .isEqualTo(PathCoverPlanner.count(LifetimeGroups.find(problem)));
    }
  }
}
