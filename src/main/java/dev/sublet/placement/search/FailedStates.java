package dev.sublet.placement.search;

import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers which unplaced buffers could not be placed above which lowest offsets.
 *
 * <p>Buffers that could not be placed cannot be placed if their lowest offsets are equal or higher.
 * Example: two buffers with the same live range lie on top of each other. If the rest cannot be
 * placed above them, then the opposite order of the two need not be tried.
 *
 * <p>Holds for a target and for all smaller ones. Memory: at most {@link #MAX_NUMBERS} numbers,
 * then nothing more is remembered.
 */
final class FailedStates {

  /** 32 MiB. */
  private static final int MAX_NUMBERS = 1 << 23;

  /** The maximum number of states of the same buffers, of which the latest are kept. */
  private static final int MAX_ALTERNATIVES = 8;

  private final Map<ImmutableIntArray, List<int[]>> failed = new HashMap<>();
  private int numbers;

  /**
   * Whether the buffers are known not to fit.
   *
   * @param buffers unplaced buffers, ascending, which interfere with no other unplaced buffer
   * @param lowest their lowest offsets
   */
  boolean contains(ImmutableIntArray buffers, int[] lowest) {
    for (int[] other : failed.getOrDefault(buffers, List.of())) {
      if (isNowhereBelow(lowest, other)) {
        return true;
      }
    }
    return false;
  }

  /** Remembers that the buffers do not fit. */
  void add(ImmutableIntArray buffers, int[] lowest) {
    if (numbers + 2 * lowest.length > MAX_NUMBERS) {
      return;
    }
    List<int[]> states = failed.get(buffers);
    if (states == null) {
      states = new ArrayList<>(1);
      failed.put(buffers, states);
      numbers += lowest.length;
    }
    if (states.size() == MAX_ALTERNATIVES) {
      states.remove(0);
      numbers -= lowest.length;
    }
    states.add(lowest);
    numbers += lowest.length;
  }

  private static boolean isNowhereBelow(int[] lowest, int[] other) {
    for (int i = 0; i < lowest.length; i++) {
      if (lowest[i] < other[i]) {
        return false;
      }
    }
    return true;
  }
}
