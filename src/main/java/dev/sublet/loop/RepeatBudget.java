package dev.sublet.loop;

import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The limits on repeating loop bodies in one program: how often a body may be repeated, and how
 * many operators the copies of all bodies may add.
 *
 * <pre>{@code
 * a loop of 10 operators, repeated 3 times, adds 2 * (10 + 2) operators to every loop around it
 * }</pre>
 */
final class RepeatBudget {

  /**
   * The greatest number of operators that unrolling adds, or four times the program's own if that
   * is more.
   */
  private static final int MAX_NODES = 50_000;

  private final ControlFlowGraph graph;
  private final int maxRepeat;
  private final boolean mayShare;
  private final boolean withFirst;
  private final ImmutableSet<Integer> staying;

  /** The number of nodes of each region's body, once the loops inside it are unrolled. */
  private final long[] unrolledNodes;

  /** The number of copies of each region's body, for all variants of the region. */
  private final int[] copies;

  private long addedNodes;

  /**
   * @param maxRepeat how often a body may be repeated
   * @param mayShare whether a variable may start in a location of its own and then share another
   *     one's slot
   * @param withFirst whether a first iteration may have a copy of the body of its own, as is known
   *     only after the limits are checked
   * @param staying the loops in which nothing moves
   */
  RepeatBudget(
      ControlFlowGraph graph,
      int maxRepeat,
      boolean mayShare,
      boolean withFirst,
      ImmutableSet<Integer> staying) {
    this.graph = graph;
    this.maxRepeat = maxRepeat;
    this.mayShare = mayShare;
    this.withFirst = withFirst;
    this.staying = staying;
    this.copies = new int[graph.regions().size()];
    Arrays.fill(copies, 1);
    this.unrolledNodes = new long[graph.regions().size()];
    for (Region region : graph.regions()) {
      unrolledNodes[region.index()] = region.exit() - region.head() - 1L;
    }
  }

  /**
   * Whether, in a loop, a variable may start in a location of its own and then share another one's
   * slot.
   */
  boolean mayShare(Region loop) {
    return mayShare && !staying.contains(loop.index());
  }

  /**
   * Returns the reason why a loop cannot be repeated so often; empty if it can.
   *
   * @param after the later loops that go on with its rotations, of which there are as many copies
   */
  Optional<String> objection(Region loop, int repeat, Set<Integer> after) {
    if (staying.contains(loop.index())) {
      return Optional.of("copies are smaller");
    }
    if (repeat > maxRepeat) {
      return Optional.of("the loop would have to be repeated " + repeat + " times");
    }
    long most = Math.max(MAX_NODES, 4L * graph.nodeCount());
    long added = addedNodes + growth(loop, repeat);
    int variants = repeat + (withFirst ? 1 : 0);
    for (int later : after) {
      added += growth(graph.region(later), variants);
      if (copies[later] * variants > maxRepeat) {
        return Optional.of(
            "a loop after it would have to be repeated " + copies[later] * variants + " times");
      }
    }
    return added <= most
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "repeating the loop %d times would add more than %,d operators",
                repeat,
                most));
  }

  private long growth(Region loop, int repeat) {
    return (repeat - 1L) * (unrolledNodes[loop.index()] + 2);
  }

  /**
   * Records that a loop is repeated, or that there are so many variants of it. O(nesting depth).
   */
  void spend(Region loop, int repeat) {
    copies[loop.index()] *= repeat;
    long added = growth(loop, repeat);
    addedNodes += added;
    for (int region = loop.index(); region > 0; region = graph.region(region).parent()) {
      unrolledNodes[region] += added;
    }
  }
}
