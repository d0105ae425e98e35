package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.run.bind.Affine;

/**
 * An affine form in the statements of one loop. The part of the outer loops is summed up when the
 * loop is entered, so that each iteration computes only one product.
 */
final class LinearForm {

  private final Affine affine;
  private final long[] index;
  private final int depth;
  private final long step;
  private long outer;

  /**
   * Creates a form in the statements of a loop.
   *
   * @param index the loops' indices by depth, while the nest runs
   * @param depth the depth of the loop; -1 for expressions before all loops
   */
  LinearForm(Affine affine, long[] index, int depth) {
    this.affine = affine;
    this.index = index;
    this.depth = Math.max(0, depth);
    this.step = depth < 0 ? 0 : affine.coefficient(depth);
    this.outer = affine.constant();
  }

  /** Sums up the part of the outer loops. */
  void enter() {
    long sum = affine.constant();
    for (int d = 0; d < depth; d++) {
      sum += affine.coefficient(d) * index[d];
    }
    outer = sum;
  }

  /** Returns the value in the current iteration. */
  long value() {
    return outer + step * index[depth];
  }
}
