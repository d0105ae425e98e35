package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reorders the loops of one nest. The numbers and bounds of loops move; carried variables and
 * statements stay at their depth.
 *
 * <p>A loop with statements or carried variables is a pivot: the set of loops around it must stay
 * the same, in any order. In addition, every element and carried variable must receive its values
 * in the same order and be read at the same point of that order. Therefore, for each pair of
 * conflicting sites, the loops in which two iterations that touch the same element may differ
 * ({@link SameElement}) keep their relative order.
 */
public final class LoopOrder {

  private LoopOrder() {}

  /**
   * Returns the nest with its loops in a new order; empty if the result might differ. O(sites² ×
   * loops).
   *
   * @param order for each depth, from outside, the present place, from 0, of the loop that goes
   *     there
   */
  public static Optional<LoopBlock> apply(
      Extents extents, LoopBlock block, ImmutableIntArray order) {
    if (isIdentity(order)) {
      return Optional.of(block);
    }
    if (!keepsPivots(block, order) || boundsMentionLoops(block)) {
      return Optional.empty();
    }
    List<Site> sites = Site.withCarried(block);
    for (int i = 0; i < sites.size(); i++) {
      for (int j = i; j < sites.size(); j++) {
        if (sites.get(i).conflictsWith(sites.get(j))
            && !keepsOrder(extents, block, order, sites.get(i), sites.get(j))) {
          return Optional.empty();
        }
      }
    }
    List<Loop> loops = new ArrayList<>();
    for (int depth = 0; depth < order.length(); depth++) {
      Loop here = block.loops().get(depth);
      Loop comes = block.loops().get(order.get(depth));
      loops.add(
          new Loop(comes.id(), comes.start(), comes.end(), here.carried(), here.statements()));
    }
    return Optional.of(new LoopBlock(ImmutableList.copyOf(loops)));
  }

  private static boolean isIdentity(ImmutableIntArray order) {
    for (int depth = 0; depth < order.length(); depth++) {
      if (order.get(depth) != depth) {
        return false;
      }
    }
    return true;
  }

  private static boolean keepsPivots(LoopBlock block, ImmutableIntArray order) {
    Set<Integer> outside = new HashSet<>();
    for (int depth = 0; depth < order.length(); depth++) {
      outside.add(order.get(depth));
      Loop loop = block.loops().get(depth);
      boolean pivot = !loop.statements().isEmpty() || !loop.carried().isEmpty();
      for (int place : outside) {
        if (pivot && place > depth) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean boundsMentionLoops(LoopBlock block) {
    boolean[] found = new boolean[1];
    for (Loop loop : block.loops()) {
      for (IndexExpression bound : ImmutableList.of(loop.start(), loop.end())) {
        Reads.leaves(bound, leaf -> found[0] |= leaf instanceof IndexExpression.LoopIndex);
      }
    }
    return found[0];
  }

  /** Whether the loops that two sites do not determine keep their relative order. */
  private static boolean keepsOrder(
      Extents extents, LoopBlock block, ImmutableIntArray order, Site left, Site right) {
    int depth = Math.min(left.depth(), right.depth());
    Set<Integer> agreed = SameElement.agreed(extents, left, right, block.loops().subList(0, depth));
    int last = -1;
    for (int place : order.asList()) {
      if (place < depth && !agreed.contains(block.loops().get(place).id())) {
        if (place < last) {
          return false;
        }
        last = place;
      }
    }
    return true;
  }
}
