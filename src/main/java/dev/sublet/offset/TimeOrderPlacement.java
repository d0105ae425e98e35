package dev.sublet.offset;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Places buffers in the order of time, as an allocator would: each takes the smallest free stretch
 * that is large enough, the lower one of equals; the arena grows where none is. O(n log n) however
 * many lifetimes overlap. A buffer is taken to be live from its first point to its last.
 */
final class TimeOrderPlacement {

  private record Stretch(long offset, long bytes) {}

  private final PlanningProblem problem;
  private final TreeMap<Long, Long> freeByOffset = new TreeMap<>();
  private final TreeSet<Stretch> freeBySize =
      new TreeSet<>(Comparator.comparingLong(Stretch::bytes).thenComparingLong(Stretch::offset));
  private long top;

  private TimeOrderPlacement(PlanningProblem problem) {
    this.problem = problem;
  }

  static long[] place(PlanningProblem problem) {
    return new TimeOrderPlacement(problem).place();
  }

  private long[] place() {
    int count = problem.bufferCount();
    long[] births = new long[count];
    long[] deaths = new long[count];
    for (int buffer = 0; buffer < count; buffer++) {
      births[buffer] = (long) problem.firstPoint(buffer) << 32 | buffer;
      deaths[buffer] = (long) problem.lastPoint(buffer) << 32 | buffer;
    }
    Arrays.sort(births);
    Arrays.sort(deaths);
    long[] offsets = new long[count];
    int death = 0;
    for (long birth : births) {
      for (; (deaths[death] >>> 32) <= (birth >>> 32); death++) {
        int dead = (int) deaths[death];
        release(offsets[dead], problem.align(problem.size(dead)));
      }
      int born = (int) birth;
      offsets[born] = take(problem.align(problem.size(born)));
    }
    return offsets;
  }

  private long take(long bytes) {
    Stretch free = freeBySize.ceiling(new Stretch(0, bytes));
    if (free != null) {
      remove(free);
      if (free.bytes() > bytes) {
        add(new Stretch(free.offset() + bytes, free.bytes() - bytes));
      }
      return free.offset();
    }
    Map.Entry<Long, Long> last = freeByOffset.lastEntry();
    long offset = top;
    if (last != null && last.getKey() + last.getValue() == top) {
      offset = last.getKey();
      remove(new Stretch(last.getKey(), last.getValue()));
    }
    top = Math.addExact(offset, bytes);
    return offset;
  }

  private void release(long offset, long bytes) {
    long begin = offset;
    long end = offset + bytes;
    Map.Entry<Long, Long> before = freeByOffset.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == begin) {
      begin = before.getKey();
      remove(new Stretch(before.getKey(), before.getValue()));
    }
    Long after = freeByOffset.get(end);
    if (after != null) {
      remove(new Stretch(end, after));
      end += after;
    }
    add(new Stretch(begin, end - begin));
  }

  private void add(Stretch stretch) {
    freeByOffset.put(stretch.offset(), stretch.bytes());
    freeBySize.add(stretch);
  }

  private void remove(Stretch stretch) {
    freeByOffset.remove(stretch.offset());
    freeBySize.remove(stretch);
  }
}
