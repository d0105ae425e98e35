package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/** A carried variable while its nest runs: what all types have in common. */
abstract class Carried {

  private final ReduceOperator operator;
  private final int depth;

  /** For argmax and argmin; of no length for others. */
  private final long[] positions;

  private final boolean[] taken;

  Carried(ReduceOperator operator, int depth) {
    this.operator = operator;
    this.depth = depth;
    this.positions = new long[operator.isPosition() ? VectorizationPlan.LANES : 0];
    this.taken = new boolean[positions.length];
  }

  /** How it takes values in. */
  ReduceOperator operator() {
    return operator;
  }

  /** The depth of its loop. */
  int depth() {
    return depth;
  }

  /** Begins anew in some lanes. */
  abstract void reset(int lanes);

  /** The positions of the best values; 0 where there is none. */
  long[] positions() {
    return positions;
  }

  /** Forgets the positions. */
  void resetPositions(int lanes) {
    if (operator.isPosition()) {
      Arrays.fill(positions, 0, lanes, 0);
      Arrays.fill(taken, 0, lanes, false);
    }
  }

  /** Whether a lane has not met a value yet. */
  boolean isEmpty(int lane) {
    return !taken[lane];
  }

  /** Takes note of the best position. */
  void take(int lane, long position) {
    positions[lane] = position;
    taken[lane] = true;
  }
}
