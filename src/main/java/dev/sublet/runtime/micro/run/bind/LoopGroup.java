package dev.sublet.runtime.micro.run.bind;

import java.util.List;
import java.util.OptionalLong;

/**
 * Several loops of a nest treated as one. Their combined iterations are numbered from 0; the
 * innermost loop advances fastest. All loops start at 0 and have the same number of iterations at
 * each entry.
 */
public final class LoopGroup {

  /** The depths of the loops, outermost first. */
  private final int[] depths;

  private final long[] extents;
  private final long count;

  /**
   * Creates a group of loops of a nest.
   *
   * @throws ArithmeticException if the number of combined iterations exceeds a long
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

  /** Returns the number of combined iterations; 1 for a group without loops. */
  public long count() {
    return count;
  }

  /** Returns the number of loops. */
  public int loops() {
    return depths.length;
  }

  /** Returns the depth of a loop of the group, by its position from the outermost one on. */
  public int depth(int loop) {
    return depths[loop];
  }

  /** Returns the number of iterations of a loop of the group. */
  public long extent(int loop) {
    return extents[loop];
  }

  /**
   * Returns by how much an affine form grows from each combined iteration to the next one, if that
   * is always the same; 0 for a group with one combined iteration. O(loops).
   */
  public OptionalLong step(Affine affine) {
    OptionalLong step = OptionalLong.of(0);
    long inner = 1;
    for (int loop = depths.length - 1; loop >= 0; loop--) {
      if (extents[loop] == 1) {
        continue;
      }
      long own = affine.coefficient(depths[loop]);
      if (inner == 1) {
        step = OptionalLong.of(own);
      } else if (own != step.getAsLong() * inner) {
        return OptionalLong.empty();
      }
      inner *= extents[loop];
    }
    return step;
  }

  /** Returns the depth of the innermost loop. The group must have a loop. */
  public int innermost() {
    return depths[depths.length - 1];
  }

  /** Returns the number of remaining iterations of the innermost loop, the current one included. */
  public long left(long[] index) {
    return extents[extents.length - 1] - index[innermost()];
  }

  /** Sets the loops' indices to those of a combined iteration. O(loops). */
  public void set(long iteration, long[] index) {
    long rest = iteration;
    for (int i = depths.length - 1; i >= 0; i--) {
      index[depths[i]] = rest % extents[i];
      rest /= extents[i];
    }
  }

  /** Returns the terms of an affine form that depend on these loops, without its constant. */
  public Affine part(Affine affine) {
    return affine.plus(without(affine).times(-1));
  }

  /** Returns the affine form without the terms of these loops. */
  public Affine without(Affine affine) {
    Affine rest = affine;
    for (int depth : depths) {
      rest = rest.without(depth);
    }
    return rest;
  }
}
