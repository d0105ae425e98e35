package dev.sublet.placement.search;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The orders of preference in which a search tries buffers. An order is a string of criteria, the
 * most important first, each descending. Ties are broken by index. The criteria are:
 *
 * <ul>
 *   <li>T: the heaviest section of the buffer
 *   <li>W: the duration of the buffer's live range, in points
 *   <li>C: the duration of the buffer's live range, in sections
 *   <li>A: W × height
 *   <li>Z: height
 * </ul>
 *
 * <p>Source: MiniMalloc, ASPLOS 2023, section 5.5. Added here: C, and T by loads that a search has
 * learned.
 */
final class SearchOrders {

  /** The bits of a position below {@link SearchModel#MAX_BUFFERS}; values have at most 45 bits. */
  private static final int POSITION_BITS = 18;

  private final SearchModel model;
  private final long[] durations;
  private final long[] sections;
  private final long[] areas;
  private final long[] heights;

  /** Orders by criteria without T, which never change. Several searches share them. */
  private final Map<String, int[]> fixed = new ConcurrentHashMap<>();

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
    replaceByRanks(areas); // only the areas can have more than 45 bits
  }

  private static void replaceByRanks(long[] values) {
    long[] sorted = Arrays.stream(values).sorted().distinct().toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = Arrays.binarySearch(sorted, values[i]);
    }
  }

  /**
   * Returns the buffers in an order. Only T and the criteria before it are sorted anew in each
   * call: O(spans × sections + n log n).
   *
   * @param loads the loads of the sections, for T
   */
  int[] order(String criteria, long[] loads) {
    int end = criteria.lastIndexOf('T') + 1;
    int[] order = fixed.computeIfAbsent(criteria.substring(end), this::fixedOrder).clone();
    sortBy(criteria.substring(0, end), order, loads);
    return order;
  }

  /** Returns the buffers in an order that depends on no loads. */
  private int[] fixedOrder(String criteria) {
    int[] order = new int[model.count];
    for (int b = 0; b < order.length; b++) {
      order[b] = b;
    }
    sortBy(criteria, order, new long[0]);
    return order;
  }

  private void sortBy(String criteria, int[] order, long[] loads) {
    for (int i = criteria.length() - 1; i >= 0; i--) {
      sort(order, values(criteria.charAt(i), loads));
    }
  }

  /** Sorts buffers by descending values; stable. */
  private static void sort(int[] order, long[] values) {
    // A key contains a value and a position, so nothing is boxed and equal values keep their order.
    // This matters because searches restart often.
    long[] keys = new long[order.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (-values[order[i]] << POSITION_BITS) | i;
    }
    Arrays.sort(keys);
    int[] before = order.clone();
    for (int i = 0; i < keys.length; i++) {
      order[i] = before[(int) (keys[i] & ((1 << POSITION_BITS) - 1))];
    }
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
