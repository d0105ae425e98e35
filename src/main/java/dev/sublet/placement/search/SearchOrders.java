package dev.sublet.placement.search;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The orders in which searches prefer buffers. An order is a word of criteria, the most important
 * first, each descending; ties are broken by index:
 *
 * <ul>
 *   <li>T: the heaviest section of the buffer
 *   <li>W: how long it is live, in points
 *   <li>C: how long it is live, in sections
 *   <li>A: W × height
 *   <li>Z: height
 * </ul>
 *
 * <p>Source: MiniMalloc, ASPLOS 2023, section 5.5. Ours: C, and T by loads that a search has
 * learned.
 */
final class SearchOrders {

  private final SearchModel model;
  private final long[] durations;
  private final long[] sections;
  private final long[] areas;
  private final long[] heights;

  SearchOrders(SearchModel model) {
    this.model = model;
    durations = new long[model.count];
    sections = new long[model.count];
    areas = new long[model.count];
    heights = new long[model.count];
    for (int b = 0; b < model.count; b++) {
      for (int i = model.problem.firstInterval(b); i < model.problem.endInterval(b); i++) {
        durations[b] += model.problem.end(i) - model.problem.begin(i);
      }
      for (int span = model.spanRows[b]; span < model.spanRows[b + 1]; span++) {
        sections[b] += model.spanLast[span] - model.spanFirst[span] + 1;
      }
      heights[b] = model.heights[b];
      areas[b] = durations[b] * heights[b];
    }
  }

  /**
   * The buffers in an order. O(spans × sections + n log n).
   *
   * @param loads of the sections, for T
   */
  int[] order(String criteria, long[] loads) {
    Integer[] order = new Integer[model.count];
    for (int b = 0; b < order.length; b++) {
      order[b] = b;
    }
    Comparator<Integer> comparator = null;
    for (int i = 0; i < criteria.length(); i++) {
      long[] values = values(criteria.charAt(i), loads);
      Comparator<Integer> next = (a, b) -> Long.compare(values[b], values[a]);
      comparator = comparator == null ? next : comparator.thenComparing(next);
    }
    if (comparator != null) {
      Arrays.sort(order, comparator); // stable
    }
    int[] result = new int[order.length];
    for (int rank = 0; rank < order.length; rank++) {
      result[rank] = order[rank];
    }
    return result;
  }

  private long[] values(char criterion, long[] loads) {
    return switch (criterion) {
      case 'T' -> heaviest(loads);
      case 'W' -> durations;
      case 'C' -> sections;
      case 'A' -> areas;
      case 'Z' -> heights;
      default -> throw new IllegalArgumentException("criterion " + criterion);
    };
  }

  private long[] heaviest(long[] loads) {
    long[] heaviest = new long[model.count];
    for (int b = 0; b < model.count; b++) {
      for (int span = model.spanRows[b]; span < model.spanRows[b + 1]; span++) {
        for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
          heaviest[b] = Math.max(heaviest[b], loads[s]);
        }
      }
    }
    return heaviest;
  }
}
