package dev.sublet.placement.nnc;

import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.InterferenceGraph;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;

/**
 * Tuples of up to three tensors that do not interfere with one another, in the order in which NNC's
 * older document tries to insert them.
 *
 * <p>The candidates are the tensors, not yet inserted, that interfere with most others. Each is a
 * tuple alone; and a pair with the largest of all tensors, not yet inserted, that is larger and
 * does not interfere with it; and a triple with the largest tensor that interferes with neither of
 * these. Equals by lower index. (The document says that tuples have at most three members and forms
 * pairs; which partner, and the triple, are ours.) Tuples are ordered by their largest member, then
 * by the sum of the numbers of edges in the interference graph, both descending; then more members
 * before fewer, then by index.
 *
 * <p>A tuple without a place has none until the arena has grown, and neither has a larger one.
 * Hence a candidate is a triple first, a pair when that was rejected, then a single one.
 *
 * <p>O(candidates) for each insertion, O(log candidates) for each rejection. A search for a partner
 * goes on from where the last one ended.
 */
final class TupleCandidates {

  private final PlanningProblem problem;
  private final InterferenceGraph interference;

  /** All buffers that are not pinned, largest first. */
  private final int[] bySize;

  private final boolean[] inserted;

  /** By buffer: the positions of the two partners in {@link #bySize}; its length is for none. */
  private final int[] second;

  private final int[] third;

  /** By buffer: how many members may be tried, 0 if even the single tensor was rejected. */
  private final int[] untried;

  private final long[] sizes;
  private final long[] edges;

  /** The candidates that are left; the first of them are a heap, best first. */
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

  /** Takes new candidates, all with the same number of edges. */
  void start(int[] buffers, int begin, int end) {
    candidates = Arrays.copyOfRange(buffers, begin, end);
    left = candidates.length;
    for (int buffer : candidates) {
      second[buffer] = -1;
      third[buffer] = -1;
    }
  }

  /** Brings the tuples up to date after an insertion; false if no candidate is left. */
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

  /** Whether there is a tuple that was not rejected since the arena has grown. */
  boolean hasUntried() {
    return heaped > 0;
  }

  /** The first of those tuples: the candidate, then its partners. */
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

  /** The first tuple has no place. */
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

  /** The arena is about to grow: all tuples may be tried again. */
  void untryAll() {
    for (int i = 0; i < left; i++) {
      tryAll(candidates[i]);
    }
    heap();
  }

  /** Of the tuples that are left those have no place whose largest member is one of some. */
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

  /** The first tuple is inserted. */
  void insertBest() {
    for (int buffer : best()) {
      inserted[buffer] = true;
    }
  }

  /** The work since this was last asked. */
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
      // Larger ones interfere with the buffer, or they would be second.
      int from = hasLostSecond ? second[buffer] : third[buffer];
      third[buffer] = nextThird(buffer, from);
      int tuples = untried[buffer];
      // A larger tuple than one that was rejected is rejected as well.
      if (isNew || (hasLostSecond ? tuples > 0 : tuples > 1)) {
        tryAll(buffer);
      }
    }
  }

  private boolean isInserted(int position) {
    return position < bySize.length && inserted[bySize[position]];
  }

  /** The first from a position on that is larger than a buffer and does not interfere with it. */
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

  /** The first from a position on that interferes neither with a buffer nor with its second. */
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

  /** Notes by what a candidate's tuple is ordered. */
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

  /** Moves what may be tried to the front, and makes that a heap. */
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
