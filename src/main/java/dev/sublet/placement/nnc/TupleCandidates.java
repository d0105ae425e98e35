package dev.sublet.placement.nnc;

import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.InterferenceGraph;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;

/**
 * Tuples of up to three tensors that do not interfere with each other, in the order in which the
 * older version of NNC's document tries to insert them.
 *
 * <p>The candidates are the tensors, not yet inserted, that interfere with the most others. Each
 * candidate forms a single; a pair with the largest tensor, not yet inserted, that is larger than
 * the candidate and does not interfere with it; and a triple with the largest tensor that
 * interferes with neither member of the pair. Of equally large tensors the one with the lower index
 * is taken. (The document states that tuples have at most three members, and forms pairs; the
 * choice of the partner, and the triple, are additions here.)
 *
 * <p>Tuples are ordered by the size of their largest member, then by the sum of the members'
 * degrees in the interference graph, both descending; then tuples with more members come first,
 * then lower indices.
 *
 * <p>A tuple that does not fit, or a larger one, does not fit until the arena has grown. Hence each
 * candidate is tried as a triple first, then as a pair, then as a single.
 *
 * <p>O(candidates) for each insertion, O(log candidates) for each rejection. A search for a partner
 * continues where the previous one ended.
 */
final class TupleCandidates {

  private final PlanningProblem problem;
  private final InterferenceGraph interference;

  /** All buffers that are not pinned, largest first. */
  private final int[] bySize;

  private final boolean[] inserted;

  /**
   * By buffer: the positions of the two partners in {@link #bySize}; the length of that array if
   * there is no partner.
   */
  private final int[] second;

  private final int[] third;

  /**
   * By buffer: the size of the largest tuple not yet rejected; 0 if even the single was rejected.
   */
  private final int[] untried;

  private final long[] sizes;
  private final long[] edges;

  /**
   * The candidates that are left; the first {@link #heaped} of them are a heap with the best at its
   * root.
   */
  private int[] candidates = {};

  private int left;
  private int heaped;
  private long work;

  TupleCandidates(PlanningProblem problem, InterferenceGraph interference) {
    int count = problem.bufferCount();
    this.problem = problem;
    this.interference = interference;
    this.inserted = new boolean[count];
    this.second = new int[count];
    this.third = new int[count];
    this.untried = new int[count];
    this.sizes = new long[count];
    this.edges = new long[count];
    this.bySize =
        BufferOrder.sortUnpinned(
            problem, Comparator.comparingLong(buffer -> -problem.size(buffer)));
  }

  /** Replaces the candidates by new ones, which all have the same degree. */
  void start(int[] buffers, int begin, int end) {
    candidates = Arrays.copyOfRange(buffers, begin, end);
    left = candidates.length;
    for (int buffer : candidates) {
      second[buffer] = -1;
      third[buffer] = -1;
    }
  }

  /** Updates the tuples after an insertion. Returns false if no candidate is left. */
  boolean refresh() {
    int kept = 0;
    for (int i = 0; i < left; i++) {
      if (!inserted[candidates[i]]) {
        findPartners(candidates[i]);
        candidates[kept++] = candidates[i];
      }
    }
    work += left;
    left = kept;
    heap();
    return left > 0;
  }

  /** Whether there is a tuple that has not been rejected since the arena last grew. */
  boolean hasUntried() {
    return heaped > 0;
  }

  /** Returns the first tuple that is not rejected: the candidate, then its partners. */
  int[] best() {
    int buffer = candidates[0];
    int[] tuple = new int[untried[buffer]];
    tuple[0] = buffer;
    if (tuple.length > 1) {
      tuple[1] = bySize[second[buffer]];
    }
    if (tuple.length > 2) {
      tuple[2] = bySize[third[buffer]];
    }
    return tuple;
  }

  /** Rejects the first tuple, which does not fit. */
  void rejectBest() {
    int buffer = candidates[0];
    untried[buffer]--;
    if (untried[buffer] == 0) {
      heaped--;
      candidates[0] = candidates[heaped];
      candidates[heaped] = buffer;
    } else {
      measure(buffer);
    }
    sink(0);
  }

  /** Makes all tuples untried again, because the arena is about to grow. */
  void untryAll() {
    for (int i = 0; i < left; i++) {
      tryAll(candidates[i]);
    }
    heap();
  }

  /** Rejects the tuples whose largest member satisfies a predicate. */
  void rejectAll(IntPredicate isRejected) {
    for (int i = 0; i < left; i++) {
      int buffer = candidates[i];
      boolean isAlone = untried[buffer] == 1;
      if (!isAlone && isRejected.test(bySize[second[buffer]])) {
        untried[buffer] = 1;
        measure(buffer);
      }
      if (untried[buffer] == 1 && isRejected.test(buffer)) {
        untried[buffer] = 0;
      }
    }
  }

  /** Marks the members of the first tuple as inserted. */
  void insertBest() {
    for (int buffer : best()) {
      inserted[buffer] = true;
    }
  }

  /** Returns the work done since the previous call. */
  long takeWork() {
    long taken = work;
    work = 0;
    return taken;
  }

  private void findPartners(int buffer) {
    boolean isNew = second[buffer] < 0;
    boolean hasLostSecond = isNew || isInserted(second[buffer]);
    if (hasLostSecond) {
      second[buffer] = nextSecond(buffer, Math.max(0, second[buffer]));
    }
    if (hasLostSecond || isInserted(third[buffer])) {
      // Tensors larger than the second interfere with the buffer, or one of them would be second.
      int from = hasLostSecond ? second[buffer] : third[buffer];
      third[buffer] = nextThird(buffer, from);
      int tuples = untried[buffer];
      // A tuple larger than a rejected one is rejected as well.
      if (isNew || (hasLostSecond ? tuples > 0 : tuples > 1)) {
        tryAll(buffer);
      }
    }
  }

  private boolean isInserted(int position) {
    return position < bySize.length && inserted[bySize[position]];
  }

  /**
   * Returns the first position, from one on, of a tensor that is larger than a buffer and does not
   * interfere with it.
   */
  private int nextSecond(int buffer, int from) {
    int position = from;
    for (; position < bySize.length; position++) {
      int other = bySize[position];
      work++;
      if (problem.size(other) <= problem.size(buffer)) {
        return bySize.length;
      }
      if (!inserted[other] && !interference.interfere(other, buffer)) {
        return position;
      }
    }
    return position;
  }

  /**
   * Returns the first position, from one on, of a tensor that interferes neither with a buffer nor
   * with its second.
   */
  private int nextThird(int buffer, int from) {
    if (second[buffer] == bySize.length) {
      return bySize.length;
    }
    int partner = bySize[second[buffer]];
    int position = from;
    for (; position < bySize.length; position++) {
      int other = bySize[position];
      work++;
      if (!inserted[other]
          && other != buffer
          && other != partner
          && !interference.interfere(other, buffer)
          && !interference.interfere(other, partner)) {
        return position;
      }
    }
    return position;
  }

  private void tryAll(int buffer) {
    untried[buffer] = second[buffer] == bySize.length ? 1 : third[buffer] == bySize.length ? 2 : 3;
    measure(buffer);
  }

  /** Updates the keys by which a candidate's tuple is ordered. */
  private void measure(int buffer) {
    sizes[buffer] = problem.size(untried[buffer] > 1 ? bySize[second[buffer]] : buffer);
    edges[buffer] = interference.degree(buffer);
    if (untried[buffer] > 1) {
      edges[buffer] += interference.degree(bySize[second[buffer]]);
    }
    if (untried[buffer] > 2) {
      edges[buffer] += interference.degree(bySize[third[buffer]]);
    }
  }

  /** Moves the candidates that may be tried to the front, and makes them a heap. */
  private void heap() {
    heaped = 0;
    for (int i = 0; i < left; i++) {
      int buffer = candidates[i];
      if (untried[buffer] > 0) {
        candidates[i] = candidates[heaped];
        candidates[heaped++] = buffer;
      }
    }
    for (int i = heaped / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  private void sink(int position) {
    int parent = position;
    while (2 * parent + 1 < heaped) {
      int child = 2 * parent + 1;
      if (child + 1 < heaped && isBefore(candidates[child + 1], candidates[child])) {
        child++;
      }
      if (!isBefore(candidates[child], candidates[parent])) {
        return;
      }
      int buffer = candidates[parent];
      candidates[parent] = candidates[child];
      candidates[child] = buffer;
      parent = child;
    }
  }

  private boolean isBefore(int a, int b) {
    if (sizes[a] != sizes[b]) {
      return sizes[a] > sizes[b];
    }
    if (edges[a] != edges[b]) {
      return edges[a] > edges[b];
    }
    return untried[a] != untried[b] ? untried[a] > untried[b] : a < b;
  }
}
