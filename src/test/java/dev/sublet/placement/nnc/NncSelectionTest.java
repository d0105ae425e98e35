package dev.sublet.placement.nnc;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.placement.problem.InterferenceGraph;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The two selections of candidates against the documents' words, which go through everything again
 * after each insertion: equal offsets show that no try is left out that could have succeeded.
 */
final class NncSelectionTest {

  private static final List<RandomProblems.Kind> KINDS =
      List.of(
          RandomProblems.Kind.PLAIN,
          RandomProblems.Kind.FULL,
          new RandomProblems.Kind(true, false, true, true),
          new RandomProblems.Kind(false, false, true, false));

  @Test
  void nnc_isTheDocumentsSelection() {
    for (int seed = 0; seed < 800; seed++) {
      PlanningProblem problem = problem(seed);
      AllocationBuilder literal = new AllocationBuilder(problem, Long.MAX_VALUE);
      new Literal(problem, literal).insertLargestFirst();
      AllocationBuilder ours = new AllocationBuilder(problem, Long.MAX_VALUE);
      NncPlanner.insertAll(problem, ours);
      assertEqual(seed, problem, ours, literal);
    }
  }

  @Test
  void nncInterference_isTheDocumentsSelection() {
    for (int seed = 0; seed < 800; seed++) {
      PlanningProblem problem = problem(seed);
      AllocationBuilder literal = new AllocationBuilder(problem, Long.MAX_VALUE);
      new Literal(problem, literal).insertMostInterferenceFirst();
      AllocationBuilder ours = new AllocationBuilder(problem, Long.MAX_VALUE);
      NncInterferencePlanner.insertAll(problem, ours);
      assertEqual(seed, problem, ours, literal);
    }
  }

  /** Of few sizes or of many, of few points or of many: with ties and without. */
  private static PlanningProblem problem(int seed) {
    Random random = new Random(seed);
    int buffers = 1 + random.nextInt(24);
    int points = 2 + random.nextInt(20);
    int maxSize = seed % 3 == 0 ? 40 : 1 + random.nextInt(5);
    return RandomProblems.generate(random, buffers, points, maxSize, KINDS.get(seed % 4));
  }

  private static void assertEqual(
      int seed, PlanningProblem problem, AllocationBuilder ours, AllocationBuilder literal) {
    assertWithMessage("seed %s:\n%s", seed, ProblemText.print(problem))
        .that(ours.offsets())
        .isEqualTo(literal.offsets());
  }

  /** The documents' steps as they are written. */
  private static final class Literal {

    private final PlanningProblem problem;
    private final AllocationBuilder builder;
    private final InterferenceGraph interference;
    private final List<Integer> left = new ArrayList<>();

    Literal(PlanningProblem problem, AllocationBuilder builder) {
      this.problem = problem;
      this.builder = builder;
      this.interference = new InterferenceGraph(problem);
      for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
        if (!problem.isPinned(buffer)) {
          left.add(buffer);
        }
      }
    }

    void insertLargestFirst() {
      while (!left.isEmpty()) {
        long largest = left.stream().mapToLong(problem::size).max().orElseThrow();
        List<List<Integer>> candidates = new ArrayList<>();
        for (int buffer : left) {
          if (problem.size(buffer) == largest) {
            candidates.add(List.of(buffer));
          }
        }
        insertFirstThatFits(candidates);
      }
    }

    void insertMostInterferenceFirst() {
      while (!left.isEmpty()) {
        int most = left.stream().mapToInt(interference::degree).max().orElseThrow();
        List<List<Integer>> candidates = new ArrayList<>();
        for (int buffer : left) {
          if (interference.degree(buffer) == most) {
            addTuples(buffer, candidates);
          }
        }
        insertFirstThatFits(candidates);
      }
    }

    private void addTuples(int buffer, List<List<Integer>> candidates) {
      candidates.add(List.of(buffer));
      int second = largestBeside(List.of(buffer));
      if (second < 0 || problem.size(second) <= problem.size(buffer)) {
        return;
      }
      candidates.add(List.of(buffer, second));
      int third = largestBeside(List.of(buffer, second));
      if (third >= 0) {
        candidates.add(List.of(buffer, second, third));
      }
    }

    /** The largest that is left, is none of some and interferes with none; -1 if there is none. */
    private int largestBeside(List<Integer> members) {
      int largest = -1;
      for (int other : left) {
        boolean isBeside = !members.contains(other);
        for (int member : members) {
          isBeside = isBeside && !interference.interfere(other, member);
        }
        if (isBeside && (largest < 0 || problem.size(other) > problem.size(largest))) {
          largest = other;
        }
      }
      return largest;
    }

    private void insertFirstThatFits(List<List<Integer>> candidates) {
      candidates.sort(
          Comparator.comparingLong((List<Integer> tuple) -> -largest(tuple))
              .thenComparingLong(tuple -> -edges(tuple))
              .thenComparingInt(tuple -> -tuple.size())
              .thenComparingInt(tuple -> tuple.get(0)));
      for (List<Integer> candidate : candidates) {
        if (builder.insert(members(candidate))) {
          left.removeAll(candidate);
          return;
        }
      }
      builder.open(members(candidates.get(0)));
      left.removeAll(candidates.get(0));
    }

    private long largest(List<Integer> tuple) {
      return tuple.stream().mapToLong(problem::size).max().orElseThrow();
    }

    private long edges(List<Integer> tuple) {
      return tuple.stream().mapToLong(interference::degree).sum();
    }

    private static int[] members(List<Integer> tuple) {
      return tuple.stream().mapToInt(Integer::intValue).toArray();
    }
  }
}
