package dev.sublet.placement.local;

import java.util.Arrays;

/**
 * Lists the rectangles that are live together with one. They are sorted by their first points, as
 * {@link Rectangles} of a problem are, with a tree of the latest ends over them. O(n) to build, O(k
 * log n) for k rectangles found. Not thread-safe.
 */
final class LiveTogether {

  private final Rectangles rectangles;
  private final int[] latestEnds;
  private final int leaves;
  private final int[] firstAtPoint;
  private int[] found = new int[64];
  private int hits;

  LiveTogether(Rectangles rectangles) {
    this.rectangles = rectangles;
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, rectangles.count - 1)) * 2);
    latestEnds = new int[2 * leaves];
    System.arraycopy(rectangles.ends, 0, latestEnds, leaves, rectangles.count);
    for (int node = leaves - 1; node > 0; node--) {
      latestEnds[node] = Math.max(latestEnds[2 * node], latestEnds[2 * node + 1]);
    }
    firstAtPoint = new int[rectangles.points + 1];
    for (int begin : rectangles.begins) {
      firstAtPoint[begin + 1]++;
    }
    for (int point = 0; point < rectangles.points; point++) {
      firstAtPoint[point + 1] += firstAtPoint[point];
    }
  }

  /** Returns the rectangles that are live with one, itself included, and then {@link #hits}. */
  int[] with(int rectangle) {
    hits = 0;
    visit(1, 0, leaves, firstAtPoint[rectangles.ends[rectangle]], rectangles.begins[rectangle]);
    return found;
  }

  /** The number of rectangles that {@link #with} has found. */
  int hits() {
    return hits;
  }

  private void visit(int node, int first, int width, int limit, int begin) {
    if (first >= limit || latestEnds[node] <= begin) {
      return;
    }
    if (width == 1) {
      if (hits == found.length) {
        found = Arrays.copyOf(found, 2 * hits);
      }
      found[hits++] = first;
      return;
    }
    int half = width / 2;
    visit(2 * node, first, half, limit, begin);
    visit(2 * node + 1, first + half, half, limit, begin);
  }
}
