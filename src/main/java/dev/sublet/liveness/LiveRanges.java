package dev.sublet.liveness;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Interval;

/**
 * The live ranges of every variable, split into webs. Compressed rows in primitive arrays.
 *
 * <p>A web is a part of a variable's live range whose values never meet the values of another part.
 * Each web can get a location of its own:
 *
 * <pre>
 *   a = f(); g(a);   // web 0 of a
 *   a = h(); k(a);   // web 1 of a
 * </pre>
 *
 * <p>Within a variable, webs are ordered by their first point. Within a web, intervals ascend and
 * neither touch nor overlap.
 *
 * <p>Operator n reads at point 2n and writes at point 2n + 1. An input occupies its bytes at both
 * points, an output at least at the second one. Only dense tensors that are not persistable, and
 * whose region runs, have ranges.
 */
public final class LiveRanges {

  private final int[] websOfVariable;
  private final int[] intervalsOfWeb;
  private final int[] begins;
  private final int[] ends;
  private final int endPoint;

  LiveRanges(int[] websOfVariable, int[] intervalsOfWeb, int[] begins, int[] ends, int endPoint) {
    this.websOfVariable = websOfVariable;
    this.intervalsOfWeb = intervalsOfWeb;
    this.begins = begins;
    this.ends = ends;
    this.endPoint = endPoint;
  }

  /** The point at which the program ends: twice the number of nodes. */
  public int endPoint() {
    return endPoint;
  }

  /** The number of webs of all variables. */
  public int webCount() {
    return intervalsOfWeb.length - 1;
  }

  /** The first web of a variable. */
  public int firstWeb(int variable) {
    return websOfVariable[variable];
  }

  /** The index after the last web of a variable. */
  public int endWeb(int variable) {
    return websOfVariable[variable + 1];
  }

  /** Whether the variable has any range. */
  public boolean hasRange(int variable) {
    return firstWeb(variable) != endWeb(variable);
  }

  /** The first interval of a web, an index for {@link #begin} and {@link #end}. */
  public int firstInterval(int web) {
    return intervalsOfWeb[web];
  }

  /** The index after the last interval of a web. */
  public int endInterval(int web) {
    return intervalsOfWeb[web + 1];
  }

  /** The first point of an interval. */
  public int begin(int interval) {
    return begins[interval];
  }

  /** The first point after an interval. */
  public int end(int interval) {
    return ends[interval];
  }

  /** The first point of a web. */
  public int firstPoint(int web) {
    return begins[intervalsOfWeb[web]];
  }

  /** The first point after a web. */
  public int lastPoint(int web) {
    return ends[intervalsOfWeb[web + 1] - 1];
  }

  /** The web of a variable that contains a point, or -1. O(log webs) unless webs interleave. */
  public int webAt(int variable, int point) {
    int low = firstWeb(variable);
    int high = endWeb(variable) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (firstPoint(middle) <= point) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    for (int web = high; web >= firstWeb(variable); web--) {
      if (contains(web, point)) {
        return web;
      }
    }
    return -1;
  }

  /** Whether a web contains a point. O(log intervals). */
  public boolean contains(int web, int point) {
    return intervalAt(web, point) >= 0;
  }

  /** The interval of a web that contains a point, or -1. O(log intervals). */
  public int intervalAt(int web, int point) {
    int low = firstInterval(web);
    int high = endInterval(web) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= point) {
        low = middle + 1;
      } else if (begins[middle] > point) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -1;
  }

  /** The intervals of a web. O(intervals). */
  public ImmutableList<Interval> intervals(int web) {
    ImmutableList.Builder<Interval> intervals = ImmutableList.builder();
    for (int i = firstInterval(web); i < endInterval(web); i++) {
      intervals.add(new Interval(begins[i], ends[i]));
    }
    return intervals.build();
  }
}
