package dev.sublet.runtime.micro.run.bind;

import java.util.List;

/**
 * Some loops of a nest as one: their iterations numbered from 0, the innermost loop first to move.
 * All run from 0, equally often whenever they are entered.
 */
public final class LoopGroup {

  /** Outermost first. */
  private final int[] depths;

  private final long[] extents;
  private final long count;

  /**
   * Loops of a nest.
   *
   * @throws ArithmeticException if their iterations are more than a long counts
   */
  LoopGroup(BoundNest nest, List<Integer> depths) {
    this.depths = depths.stream().mapToInt(Integer::intValue).toArray();
    this.extents = new long[this.depths.length];
    long product = 1;
    for (int i = 0; i < extents.length; i++) {
      Long iterations = nest.iterations(this.depths[i]);
      extents[i] = iterations == null ? 0 : iterations;
      product = Math.multiplyExact(product, extents[i]);
    }
    this.count = product;
  }

  /** The number of iterations; 1 if there is no loop. */
  public long count() {
    return count;
  }

  /** The depth of the innermost of at least one loop. */
  public int innermost() {
    return depths[depths.length - 1];
  }

  /** How many iterations are left, with the present one, before a loop outside moves. */
  public long left(long[] index) {
    return extents[extents.length - 1] - index[innermost()];
  }

  /** Sets the loops' indices to those of an iteration. O(loops). */
  public void set(long iteration, long[] index) {
    long rest = iteration;
    for (int i = depths.length - 1; i >= 0; i--) {
      index[depths[i]] = rest % extents[i];
      rest /= extents[i];
    }
  }

  /** The part of an affine form that these loops move, without its constant. */
  public Affine part(Affine affine) {
    return affine.plus(without(affine).times(-1));
  }

  /** The rest. */
  public Affine without(Affine affine) {
    Affine rest = affine;
    for (int depth : depths) {
      rest = rest.without(depth);
    }
    return rest;
  }
}
