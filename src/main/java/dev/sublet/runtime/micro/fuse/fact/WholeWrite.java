package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An assignment that writes every element of a tensor exactly once. Along each axis, the index is a
 * loop of its own from 0 to the extent, or the extent is 1 and the index 0. All other enclosing
 * loops have one iteration.
 *
 * @param axes the axis for each enclosing loop, by number, that is an index
 * @param starts the only index of each other loop
 */
public record WholeWrite(
    ImmutableMap<Integer, Integer> axes, ImmutableMap<Integer, IndexExpression> starts) {

  /**
   * Returns the whole write of an assignment, if it provably is one. O(depth × rank).
   *
   * @param depth the number of loops around the statement, at least 1
   */
  public static Optional<WholeWrite> of(
      Extents extents, LoopBlock block, int depth, Statement.Assignment assignment) {
    Map<Integer, Loop> around = new LinkedHashMap<>();
    for (Loop loop : block.loops().subList(0, depth)) {
      around.put(loop.id(), loop);
    }
    ImmutableList<IndexExpression> at = assignment.target().at();
    List<IndexExpression> shape = extents.tensor(assignment.target().tensor()).shape();
    Map<Integer, Integer> axes = new HashMap<>();
    for (int axis = 0; axis < at.size(); axis++) {
      Polynomial index = extents.canonical(at.get(axis));
      Polynomial extent = extents.canonical(shape.get(axis));
      if (index.isZero() && extent.equals(Polynomial.ONE)) {
        continue;
      }
      if (!(index.asAtom().orElse(null) instanceof LoopIndex loopIndex)) {
        return Optional.empty();
      }
      Loop loop = around.get(loopIndex.id());
      boolean spans =
          loop != null
              && extents.canonical(loop.start()).isZero()
              && extents.areEqual(loop.end(), shape.get(axis));
      if (!spans || axes.put(loopIndex.id(), axis) != null) {
        return Optional.empty();
      }
    }
    ImmutableMap.Builder<Integer, IndexExpression> starts = ImmutableMap.builder();
    for (Loop loop : around.values()) {
      if (!axes.containsKey(loop.id())) {
        if (!extents.isSingle(loop)) {
          return Optional.empty();
        }
        starts.put(loop.id(), loop.start());
      }
    }
    return Optional.of(new WholeWrite(ImmutableMap.copyOf(axes), starts.buildOrThrow()));
  }

  /**
   * Returns a rewriter that turns the assigned value into the value of the element at the given
   * indices.
   */
  public Rewriter at(ImmutableList<IndexExpression> indices) {
    return new Rewriter() {
      @Override
      public IndexExpression leaf(IndexExpression leaf) {
        if (!(leaf instanceof LoopIndex loop)) {
          return leaf;
        }
        Integer axis = axes.get(loop.id());
        if (axis != null) {
          return indices.get(axis);
        }
        IndexExpression start = starts.get(loop.id());
        return start != null ? index(start) : leaf;
      }
    };
  }
}
