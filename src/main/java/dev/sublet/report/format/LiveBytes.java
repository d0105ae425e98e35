package dev.sublet.report.format;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.program.Variable;

/**
 * The number of live bytes at each point of a program. Every variable of known size counts, whether
 * or not a plan lets it share bytes. Variables without live ranges, such as parameters, do not
 * count.
 */
public final class LiveBytes {

  private final long[] atPoint;
  private final int unknown;

  private LiveBytes(long[] atPoint, int unknown) {
    this.atPoint = atPoint;
    this.unknown = unknown;
  }

  /** Computes the live bytes of a program. O(intervals + nodes). */
  public static LiveBytes of(ProgramFacts analysis) {
    LiveRanges ranges = analysis.liveness().ranges();
    // The differences from point to point come first. The last element is for intervals that end
    // with the program.
    long[] bytes = new long[ranges.endPoint() + 1];
    int unknown = 0;
    for (Variable variable : analysis.program().variables()) {
      int index = variable.index();
      if (ranges.hasRange(index) && !analysis.sizes().isKnown(index)) {
        unknown++;
      } else if (ranges.hasRange(index)) {
        int first = ranges.firstInterval(ranges.firstWeb(index));
        int end = ranges.endInterval(ranges.endWeb(index) - 1);
        for (int interval = first; interval < end; interval++) {
          bytes[ranges.begin(interval)] += analysis.sizes().bytes(index);
          bytes[ranges.end(interval)] -= analysis.sizes().bytes(index);
        }
      }
    }
    for (int point = 1; point < bytes.length; point++) {
      bytes[point] += bytes[point - 1];
    }
    return new LiveBytes(bytes, unknown);
  }

  /** The bytes that are live at a point. */
  public long at(int point) {
    return atPoint[point];
  }

  /** The bytes that are live at the start of a node. */
  public long in(int node) {
    return atPoint[2 * node];
  }

  /** The most bytes that are live during a node: at its start or at its end. */
  public long during(int node) {
    return Math.max(atPoint[2 * node], atPoint[2 * node + 1]);
  }

  /** The first node during which the most bytes are live; -1 in a program without operators. */
  public int peakNode() {
    int peak = -1;
    for (int node = 0; 2 * node + 1 < atPoint.length; node++) {
      peak = peak < 0 || during(node) > during(peak) ? node : peak;
    }
    return peak;
  }

  /** The number of variables that are not counted because their sizes are unknown. */
  public int unknown() {
    return unknown;
  }
}
