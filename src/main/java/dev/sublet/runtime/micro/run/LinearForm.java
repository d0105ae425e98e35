package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.run.bind.Affine;

/**
 * An affine form in the statements of one loop: the part of the loops around is added up when the
 * loop is entered, so that in an iteration one product is left.
 */
final class LinearForm {

  private final Affine affine;
  private final long[] index;
  private final int depth;
  private final long step;
  private long outer;

  /**
   * A form in a loop's statements.
   *
   * @param index the loops' indices by depth, while the nest runs
   * @param depth of the loop; -1 for what is in front of all loops
   */
  LinearForm(Affine affine, long[] index, int depth) {
    this.affine = affine;
    this.index = index;
    this.depth = Math.max(0, depth);
    this.step = depth < 0 ? 0 : affine.coefficient(depth);
    this.outer = affine.constant();
  }

  /** Adds up the loops around. */
  void enter() {
    long sum = affine.constant();
    for (int d = 0; d < depth; d++) {
      sum += affine.coefficient(d) * index[d];
    }
    outer = sum;
  }

  /** The value in this iteration. */
  long value() {
    return outer + step * index[depth];
  }
}
