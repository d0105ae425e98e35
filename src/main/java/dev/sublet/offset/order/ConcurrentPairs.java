package dev.sublet.offset.order;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.problem.BitMatrix;
import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Turns a problem for an executor that runs one operator at a time into a problem for an executor
 * that runs operators in parallel. There two buffers may share bytes only if they are never live
 * together and all accesses of one come before all accesses of the other. Accesses in exclusive
 * branches need no order, because only one of them happens.
 *
 * <p>Since a buffer may have several intervals, additional points can keep any set of pairs apart.
 * After the points of the program comes one point for each clique of conflicting pairs, such that
 * every pair that conflicts only under parallel execution is in a clique. So planners and bounds
 * need no special case. The cliques are found greedily, each as large as it can be.
 *
 * <pre>{@code
 * sequential: a [1, 3), b [5, 7)     parallel, unordered: a [1, 3) [7, 8), b [5, 7) [7, 8)
 * }</pre>
 *
 * <p>O(n² × accesses²) for n buffers in n²/2 bytes, and O(n²/64) for each clique. Beyond {@link
 * #MAX_BUFFERS} buffers, all are kept apart, with a warning.
 */
public final class ConcurrentPairs {

  /** The greatest number of buffers whose pairs are compared; their relations take 200 MB. */
  static final int MAX_BUFFERS = 20_000;

  private final AccessOrder order;
  private final int[][] websOfBuffer;
  private final int count;

  // By buffer, in compressed rows: the accesses that no other access of the buffer precedes, and
  // the accesses that no other access of it follows.
  private final int[] firstStarts;
  private int[] firsts = new int[64];
  private final int[] lastStarts;
  private int[] lasts = new int[64];

  private ConcurrentPairs(AccessOrder order, int[][] websOfBuffer) {
    this.order = order;
    this.websOfBuffer = websOfBuffer;
    this.count = websOfBuffer.length;
    this.firstStarts = new int[count + 1];
    this.lastStarts = new int[count + 1];
    for (int buffer = 0; buffer < count; buffer++) {
      int[] nodes = accesses(websOfBuffer[buffer]);
      addFirsts(buffer, nodes);
      addLasts(buffer, nodes);
    }
  }

  /**
   * Returns the same buffers with additional intervals.
   *
   * @param problem without pins
   * @param websOfBuffer the webs of which each buffer of the problem consists
   */
  public static PlanningProblem separate(
      PlanningProblem problem, int[][] websOfBuffer, AccessOrder order, DiagnosticLog log) {
    int count = problem.bufferCount();
    int firstPoint = 0;
    for (int buffer = 0; buffer < count; buffer++) {
      firstPoint = Math.max(firstPoint, problem.lastPoint(buffer));
    }
    Appender appender = new Appender(count, firstPoint);
    if (count > MAX_BUFFERS) {
      log.warn(
          Location.nowhere(),
          count
              + " buffers are too many to find out which of them operators that run at the same"
              + " time could use: none of them share memory");
      int[] all = new int[count];
      Arrays.setAll(all, i -> i);
      appender.addClique(all);
    } else {
      new ConcurrentPairs(order, websOfBuffer).cover(problem, appender);
    }
    return appender.append(problem);
  }

  private int[] accesses(int[] webs) {
    int total = 0;
    for (int web : webs) {
      total += order.end(web) - order.begin(web);
    }
    int[] nodes = new int[total];
    int next = 0;
    for (int web : webs) {
      for (int i = order.begin(web); i < order.end(web); i++) {
        nodes[next++] = order.node(i);
      }
    }
    Arrays.sort(nodes);
    return nodes;
  }

  private void addFirsts(int buffer, int[] nodes) {
    int end = firstStarts[buffer];
    for (int node : nodes) {
      // As a rule the first access is the definition, and all others come after it.
      if (end == firstStarts[buffer] || !order.before(firsts[firstStarts[buffer]], node)) {
        firsts = end == firsts.length ? Arrays.copyOf(firsts, 2 * end) : firsts;
        firsts[end++] = node;
      }
    }
    firstStarts[buffer + 1] = end;
  }

  private void addLasts(int buffer, int[] nodes) {
    int end = lastStarts[buffer];
    for (int i = nodes.length - 1; i >= 0; i--) {
      if (end == lastStarts[buffer] || !order.before(nodes[i], lasts[lastStarts[buffer]])) {
        lasts = end == lasts.length ? Arrays.copyOf(lasts, 2 * end) : lasts;
        lasts[end++] = nodes[i];
      }
    }
    lastStarts[buffer + 1] = end;
  }

  /**
   * Whether all accesses of one buffer surely come before all of another, as far as both happen. If
   * the last accesses of one come before the first accesses of the other, so do all others; an
   * exclusive pair of accesses says nothing about the others, so then all are compared.
   */
  private boolean isDone(int buffer, int before) {
    boolean isOrdered = true;
    for (int i = lastStarts[buffer]; i < lastStarts[buffer + 1]; i++) {
      for (int j = firstStarts[before]; j < firstStarts[before + 1]; j++) {
        if (!order.before(lasts[i], firsts[j])) {
          if (!order.areExclusive(lasts[i], firsts[j])) {
            return false;
          }
          isOrdered = false;
        }
      }
    }
    return isOrdered || areOrderedOrExclusive(buffer, before);
  }

  private boolean areOrderedOrExclusive(int buffer, int before) {
    for (int first : accesses(websOfBuffer[buffer])) {
      for (int second : accesses(websOfBuffer[before])) {
        if (!order.before(first, second) && !order.areExclusive(first, second)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Adds cliques of conflicting buffers until every concurrent pair is in one. */
  private void cover(PlanningProblem problem, Appender appender) {
    BitMatrix conflicts = liveTogether(problem);
    BitMatrix open = new BitMatrix(count);
    for (int a = 0; a < count; a++) {
      for (int b = a + 1; b < count; b++) {
        if (!conflicts.get(a, b) && !isDone(a, b) && !isDone(b, a)) {
          open.set(a, b);
        }
      }
    }
    for (int a = 0; a < count; a++) {
      for (int b = open.next(a, a + 1); b >= 0; b = open.next(a, b + 1)) {
        conflicts.set(a, b);
        conflicts.set(b, a);
      }
    }
    for (int a = 0; a < count; a++) {
      for (int b = open.next(a, a + 1); b >= 0; b = open.next(a, b + 1)) {
        long[] members = grow(conflicts, open, a, b);
        int[] clique = BitSet.valueOf(members).stream().toArray();
        for (int buffer : clique) {
          open.removeAll(buffer, members);
        }
        appender.addClique(clique);
      }
    }
  }

  private static BitMatrix liveTogether(PlanningProblem problem) {
    BitMatrix conflicts = new BitMatrix(problem.bufferCount());
    IntervalIndex index = new IntervalIndex(problem);
    int[] found = new int[64];
    for (int a = 0; a < problem.bufferCount(); a++) {
      for (int k = problem.firstInterval(a); k < problem.endInterval(a); k++) {
        found = index.collect(problem.begin(k), problem.end(k), found, 0);
        for (int hit = 0; hit < index.hits(); hit++) {
          if (found[hit] != a) {
            conflicts.set(a, found[hit]);
          }
        }
      }
    }
    return conflicts;
  }

  /**
   * Grows a pair to a clique to which no buffer can be added, and returns it as a set of bits.
   * First come the buffers whose pair with the first one is open, then any others; each time the
   * one with the least index.
   */
  private static long[] grow(BitMatrix conflicts, BitMatrix open, int a, int b) {
    long[] members = new long[conflicts.words()];
    long[] candidates = new long[conflicts.words()];
    Arrays.fill(candidates, -1);
    int size = 0;
    for (int next = a; next >= 0; next = size == 1 ? b : pick(open, a, candidates)) {
      size++;
      members[next >>> 6] |= 1L << next;
      for (int word = 0; word < candidates.length; word++) {
        candidates[word] &= conflicts.word(next, word);
      }
    }
    return members;
  }

  private static int pick(BitMatrix open, int a, long[] candidates) {
    int any = -1;
    for (int word = 0; word < candidates.length; word++) {
      long wanted = candidates[word] & open.word(a, word);
      if (wanted != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(wanted);
      }
      if (any < 0 && candidates[word] != 0) {
        any = (word << 6) + Long.numberOfTrailingZeros(candidates[word]);
      }
    }
    return any;
  }

  /** Collects the points of the cliques by buffer. */
  private static final class Appender {

    private final int[][] points;
    private final int[] counts;
    private int nextPoint;

    Appender(int buffers, int firstPoint) {
      this.points = new int[buffers][4];
      this.counts = new int[buffers];
      this.nextPoint = firstPoint;
    }

    void addClique(int[] buffers) {
      for (int buffer : buffers) {
        if (counts[buffer] == points[buffer].length) {
          points[buffer] = Arrays.copyOf(points[buffer], 2 * counts[buffer]);
        }
        points[buffer][counts[buffer]++] = nextPoint;
      }
      nextPoint++;
    }

    PlanningProblem append(PlanningProblem problem) {
      PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
      for (int buffer = 0; buffer < points.length; buffer++) {
        builder.addBuffer(
            problem.size(buffer), problem.alignment(buffer), PlanningProblem.NOT_PINNED);
        for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
          builder.addInterval(problem.begin(i), problem.end(i), problem.low(i), problem.high(i));
        }
        for (int i = 0; i < counts[buffer]; i++) {
          builder.addInterval(points[buffer][i], points[buffer][i] + 1);
        }
      }
      return builder.build();
    }
  }
}
