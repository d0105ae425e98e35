package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * The place of a variable that loops move around instead of copying it: a region, or a choice
 * between views by the number of iterations of a loop; nested for nested loops. Two of them are
 * equal if they say the same of every loop.
 *
 * <p>A loop is named by its body block. Its number of iterations is that of those which the loop
 * has completed in its current run, or in the latest run once it has ended, and 0 before its first
 * run: during the n-th iteration, counted from 0, it is n, and behind the loop it is how many there
 * were.
 *
 * <p>Source: NNC's tensor allocation, "Multi-view Tensor", and its types I and II.
 */
public sealed interface MultiView {

  /**
   * The first byte in the arena.
   *
   * @param iterations the number of iterations of the loop with a body block
   */
  long offset(IntToLongFunction iterations);

  /**
   * What {@link Rotation} says of the same arguments, as simply as possible: the shortest cycle, no
   * first view that the cycle has anyway, no rotation of a single view. O(views²).
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
   * One place, whatever loops do.
   *
   * @param offset the first byte in the arena
   */
  record Region(long offset) implements MultiView {

    public Region {
      checkArgument(offset >= 0, "offset %s", offset);
    }

    @Override
    public long offset(IntToLongFunction iterations) {
      return offset;
    }
  }

  /**
   * With n iterations of a loop the view {@code views[n % views.size()]} (type I); if there is a
   * first one, that for n = 0 and {@code views[(n - 1) % views.size()]} from then on (type II).
   *
   * @param block the body block of the loop
   * @param first the view before the first iteration has ended, if that is not part of the cycle
   * @param views the cycle; not empty
   */
  record Rotation(int block, Optional<MultiView> first, ImmutableList<MultiView> views)
      implements MultiView {

    public Rotation {
      requireNonNull(first, "first");
      checkArgument(!views.isEmpty(), "a rotation without views");
    }

    @Override
    public long offset(IntToLongFunction iterations) {
      return view(iterations.applyAsLong(block)).offset(iterations);
    }

    /** The view that holds with a number of iterations. */
    public MultiView view(long iterations) {
      if (first.isEmpty()) {
        return views.get((int) (iterations % views.size()));
      }
      return iterations == 0 ? first.get() : views.get((int) ((iterations - 1) % views.size()));
    }
  }
}
