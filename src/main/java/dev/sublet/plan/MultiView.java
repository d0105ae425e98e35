package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * The location of a variable as a function of the iterations of loops: rotating buffers, which
 * change the location instead of copying the value.
 *
 * <p>A view is a {@link FixedView}, or a {@link Rotation}, which chooses between views by the
 * number of iterations of one loop. Rotations are nested for nested loops, and for loops one after
 * the other that move the same variable. For example, a rotation of two fixed views at the bytes 0
 * and 64:
 *
 * <pre>
 *   iterations   0   1   2   3
 *   offset       0  64   0  64
 * </pre>
 *
 * <p>A loop is identified by its body block. Its number of iterations counts the iterations that
 * the loop has completed in its current or latest run; it is 0 before the first run. So it is n
 * during iteration n, counted from 0, and the number of all iterations after the loop.
 *
 * <p>Source: NNC's tensor allocation, "Multi-view Tensor", and its types I and II.
 */
public sealed interface MultiView {

  /**
   * The first byte in the arena.
   *
   * @param iterations the completed iterations of a loop, by its body block
   */
  long offset(IntToLongFunction iterations);

  /**
   * Returns the {@link Rotation} with these arguments in its simplest form: with the shortest
   * cycle, without a first view that the cycle implies, and without a rotation around a single
   * view. O(views²).
   */
  static MultiView rotation(int block, Optional<MultiView> first, List<MultiView> cycle) {
    ImmutableList<MultiView> views = shortestCycle(cycle);
    MultiView last = views.get(views.size() - 1);
    if (first.isPresent() && !first.get().equals(last)) {
      return new Rotation(block, first, views);
    }
    if (first.isPresent()) {
      views =
          ImmutableList.<MultiView>builder()
              .add(last)
              .addAll(views.subList(0, views.size() - 1))
              .build();
    }
    return views.size() == 1 ? last : new Rotation(block, Optional.empty(), views);
  }

  private static ImmutableList<MultiView> shortestCycle(List<MultiView> views) {
    int length = 1;
    while (views.size() % length != 0 || !repeats(views, length)) {
      length++;
    }
    return ImmutableList.copyOf(views.subList(0, length));
  }

  private static boolean repeats(List<MultiView> views, int length) {
    for (int i = length; i < views.size(); i++) {
      if (!views.get(i).equals(views.get(i - length))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A location that does not depend on loops.
   *
   * @param offset the first byte in the arena
   */
  record FixedView(long offset) implements MultiView {

    /** Throws {@link IllegalArgumentException} if the offset is negative. */
    public FixedView {
      checkArgument(offset >= 0, "offset %s", offset);
    }

    @Override
    public long offset(IntToLongFunction iterations) {
      return offset;
    }
  }

  /**
   * A cycle of views of one loop. After n iterations, the view is {@code views[n % views.size()]}
   * (type I). If there is a first view, it is {@code first} for n = 0 and {@code views[(n - 1) %
   * views.size()]} for n &gt; 0 (type II).
   *
   * @param block the body block of the loop
   * @param first the view until the end of the first iteration, if it is not part of the cycle
   * @param views the cycle; not empty
   */
  record Rotation(int block, Optional<MultiView> first, ImmutableList<MultiView> views)
      implements MultiView {

    /** Throws {@link IllegalArgumentException} if there is no view. */
    public Rotation {
      requireNonNull(first, "first");
      checkArgument(!views.isEmpty(), "a rotation without views");
    }

    @Override
    public long offset(IntToLongFunction iterations) {
      return view(iterations.applyAsLong(block)).offset(iterations);
    }

    /** The view after a number of iterations. */
    public MultiView view(long iterations) {
      if (first.isEmpty()) {
        return views.get((int) (iterations % views.size()));
      }
      return iterations == 0 ? first.get() : views.get((int) ((iterations - 1) % views.size()));
    }
  }
}
