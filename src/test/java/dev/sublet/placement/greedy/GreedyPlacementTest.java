package dev.sublet.placement.greedy;

import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.PlacementCheck.assertValid;

import com.google.common.primitives.Ints;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.RandomProblems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The structure that scales against the definition: every interval compared with every other. */
final class GreedyPlacementTest {

  /** What {@link GreedyPlacement} is to give. */
  private static long[] placeByDefinition(PlanningProblem problem, int[] order, FitRule rule) {
    long[] offsets = new long[problem.bufferCount()];
    boolean[] isPlaced = new boolean[offsets.length];
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      isPlaced[buffer] = problem.isPinned(buffer);
      offsets[buffer] = problem.pin(buffer);
    }
    for (int buffer : order) {
      if (!isPlaced[buffer]) {
        offsets[buffer] =
            pick(problem, forbidden(problem, buffer, offsets, isPlaced), buffer, rule);
        isPlaced[buffer] = true;
      }
    }
    return offsets;
  }

  /** Pairs of offsets, ascending, strictly between which the buffer may not be. */
  private static List<long[]> forbidden(
      PlanningProblem problem, int buffer, long[] offsets, boolean[] isPlaced) {
    List<long[]> forbidden = new ArrayList<>();
    for (int other = 0; other < offsets.length; other++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        for (int j = problem.firstInterval(other); j < problem.endInterval(other); j++) {
          if (isPlaced[other]
              && problem.begin(i) < problem.end(j)
              && problem.begin(j) < problem.end(i)) {
            forbidden.add(
                new long[] {
                  offsets[other] + problem.low(j) - problem.high(i),
                  offsets[other] + problem.high(j) - problem.low(i)
                });
          }
        }
      }
    }
    forbidden.sort((a, b) -> Long.compare(a[0], b[0]));
    return forbidden;
  }

  private static long pick(
      PlanningProblem problem, List<long[]> forbidden, int buffer, FitRule rule) {
    long best = -1;
    long tightest = Long.MAX_VALUE;
    long free = 0;
    for (long[] pair : forbidden) {
      long offset = problem.align(buffer, free);
      long slack = pair[0] - offset;
      if (slack >= 0 && slack < tightest && (best < 0 || rule == FitRule.TIGHTEST)) {
        best = offset;
        tightest = slack;
      }
      free = Math.max(free, pair[1]);
    }
    return best >= 0 ? best : problem.align(buffer, free);
  }

  private static void assertAsDefined(
      long seed, int buffers, int points, RandomProblems.Kind kind) {
    Random random = new Random(seed);
    PlanningProblem problem = RandomProblems.generate(random, buffers, points, 40, kind);
    List<Integer> shuffled = new ArrayList<>();
    for (int buffer = 0; buffer < buffers; buffer++) {
      shuffled.add(buffer);
    }
    Collections.shuffle(shuffled, random);
    int[] order = Ints.toArray(shuffled);
    for (FitRule rule : FitRule.values()) {
      long[] offsets = GreedyPlacement.place(problem, order, rule);
      assertWithMessage("%s, seed %s", rule, seed)
          .that(offsets)
          .isEqualTo(placeByDefinition(problem, order, rule));
    }
    assertValid(problem, GreedyPlacement.place(problem, order, FitRule.TIGHTEST));
  }

  @Property(tries = 300)
  void fewBuffers_areWhereTheDefinitionPutsThem(@ForAll long seed) {
    int buffers = 1 + new Random(seed).nextInt(60);
    assertAsDefined(seed, buffers, 40, RandomProblems.Kind.FULL);
    assertAsDefined(seed, buffers, 40, RandomProblems.Kind.PLAIN);
  }

  /** Enough intervals for a tree of several levels, in points that many and that few share. */
  @Property(tries = 12)
  void manyBuffers_areWhereTheDefinitionPutsThem(@ForAll long seed) {
    assertAsDefined(seed, 700, 400, RandomProblems.Kind.FULL);
    assertAsDefined(seed, 700, 3, RandomProblems.Kind.PLAIN);
    assertAsDefined(seed, 900, 5000, RandomProblems.Kind.PLAIN);
  }

  @Property(tries = 300)
  void ranges_areTheRunsOfASetOfBytes(@ForAll long seed) {
    Random random = new Random(seed);
    ByteRangeSet ranges = new ByteRangeSet();
    BitSet bytes = new BitSet();
    for (int i = 0; i < 40; i++) {
      int from = random.nextInt(300);
      int to = from + 1 + random.nextInt(20);
      ranges.add(from, to);
      bytes.set(from, to);
      assertSame(ranges, bytes);
    }
    for (int offset = 0; offset < 330; offset++) {
      int next = 0;
      while (next < ranges.size() && ranges.to(next) <= offset) {
        next++;
      }
      for (int start = 0; start <= next; start++) {
        assertWithMessage("behind %s from %s", offset, start)
            .that(ranges.nextEndingBehind(offset, start))
            .isEqualTo(next);
      }
    }
  }

  private static void assertSame(ByteRangeSet ranges, BitSet bytes) {
    List<Long> expected = new ArrayList<>();
    for (int from = bytes.nextSetBit(0); from >= 0; ) {
      int to = bytes.nextClearBit(from);
      expected.addAll(Arrays.asList((long) from, (long) to));
      from = bytes.nextSetBit(to);
    }
    List<Long> actual = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      actual.addAll(Arrays.asList(ranges.from(i), ranges.to(i)));
    }
    assertWithMessage("bounds").that(actual).isEqualTo(expected);
  }
}
