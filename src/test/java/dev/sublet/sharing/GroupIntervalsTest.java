package dev.sublet.sharing;

import static com.google.common.truth.Truth.assertThat;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GroupIntervalsTest {

  /** The end of an interval, and its owner. */
  private record End(int end, int owner) {}

  /** The specification: a sorted map by first point. */
  private static boolean meets(
      NavigableMap<Integer, End> map, int begin, int end, int source, int to) {
    Map.Entry<Integer, End> before = map.lowerEntry(begin);
    if (before != null && before.getValue().end > begin && before.getValue().owner != source) {
      return true;
    }
    Map.Entry<Integer, End> inside = map.ceilingEntry(begin);
    return inside != null
        && inside.getKey() < end
        && (inside.getValue().owner != to || inside.getValue().end < end);
  }

  /** 600 intervals fill several chunks, which split and become empty. */
  @Property(tries = 200)
  void everyAnswer_isThatOfASortedMap(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
    GroupIntervals intervals = new GroupIntervals();
    TreeMap<Integer, End> map = new TreeMap<>();
    Random random = new Random(seed);
    boolean ascends = random.nextBoolean();
    for (int step = 0; step < steps; step++) {
      int begin = ascends ? 3 * step : 1 + random.nextInt(2000);
      int end = begin + 1 + random.nextInt(4);
      intervals.put(begin, end, step);
      map.put(begin, new End(end, step));
      if (random.nextInt(3) == 0) {
        int gone = ascends ? 3 * random.nextInt(step + 1) : 1 + random.nextInt(2000);
        intervals.remove(gone);
        map.remove(gone);
      }
      int from = random.nextInt(2010);
      int to = from + 1 + random.nextInt(5);
      int source = random.nextInt(step + 2) - 1;
      int target = random.nextInt(step + 2) - 1;
      Map.Entry<Integer, End> floor = map.floorEntry(from);
      assertThat(intervals.lastEnd(from)).isEqualTo(floor == null ? 0 : floor.getValue().end);
      assertThat(intervals.meets(from, to, source, target))
          .isEqualTo(meets(map, from, to, source, target));
    }
  }

  /** With one array for all intervals, to begin at the front would move 5 · 10¹¹ entries. */
  @Test
  void aMillionIntervals_fromTheLastToTheFirst() {
    GroupIntervals intervals = new GroupIntervals();
    for (int i = 1_000_000; i > 0; i--) {
      assertThat(intervals.meets(2 * i, 2 * i + 2, -1, -1)).isFalse();
      intervals.put(2 * i, 2 * i + 2, i);
    }
    assertThat(intervals.meets(1, 3, -1, -1)).isTrue();
    assertThat(intervals.lastEnd(1_000_001)).isEqualTo(1_000_002);
  }
}
