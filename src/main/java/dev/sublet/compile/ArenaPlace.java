package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.math.LongMath;
import dev.sublet.codec.plan.CViews;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.MultiView.FixedView;
import dev.sublet.plan.MultiView.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * The bytes of a value in the arena, which may depend on the iterations of loops.
 *
 * @param view the first byte
 * @param bytes the number of bytes
 */
record ArenaPlace(MultiView view, long bytes) {

  ArenaPlace {
    requireNonNull(view, "view");
  }

  /** A place that does not depend on loops. */
  static ArenaPlace of(long offset, long bytes) {
    return new ArenaPlace(new FixedView(offset), bytes);
  }

  boolean isFixed() {
    return view instanceof FixedView;
  }

  /** Returns the expression for the first byte; {@code a} is the arena. */
  String address() {
    return view instanceof FixedView fixed ? "a + " + fixed.offset() : "a + " + CViews.offset(view);
  }

  /** Returns the expression for a byte. */
  String address(long index) {
    return view instanceof FixedView fixed
        ? "a + " + (fixed.offset() + index)
        : index == 0 ? address() : address() + " + " + index;
  }

  long begin(IntToLongFunction iterations) {
    return view.offset(iterations);
  }

  boolean overlaps(ArenaPlace other, IntToLongFunction iterations) {
    return begin(iterations) < other.begin(iterations) + other.bytes
        && other.begin(iterations) < begin(iterations) + bytes;
  }

  /**
   * Returns numbers of iterations, by the body blocks of loops, with all combinations of the views
   * of some places. O(product of the cycles' lengths).
   */
  static List<IntToLongFunction> turns(Iterable<ArenaPlace> places) {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    places.forEach(place -> addCounts(place.view, counts));
    List<Map<Integer, Long>> turns = new ArrayList<>();
    turns.add(Map.of());
    for (Map.Entry<Integer, Long> count : counts.entrySet()) {
      List<Map<Integer, Long>> longer = new ArrayList<>();
      for (Map<Integer, Long> turn : turns) {
        for (long n = 0; n <= count.getValue(); n++) {
          Map<Integer, Long> next = new TreeMap<>(turn);
          next.put(count.getKey(), n);
          longer.add(next);
        }
      }
      turns = longer;
    }
    List<IntToLongFunction> functions = new ArrayList<>();
    turns.forEach(turn -> functions.add(block -> turn.getOrDefault(block, 0L)));
    return functions;
  }

  /** Adds the iterations of each loop after which its views repeat: one more than their cycle. */
  private static void addCounts(MultiView view, TreeMap<Integer, Long> counts) {
    if (view instanceof Rotation rotation) {
      counts.merge(rotation.block(), (long) rotation.views().size(), ArenaPlace::commonMultiple);
      rotation.first().ifPresent(first -> addCounts(first, counts));
      rotation.views().forEach(each -> addCounts(each, counts));
    }
  }

  private static long commonMultiple(long a, long b) {
    return a / LongMath.gcd(a, b) * b;
  }
}
