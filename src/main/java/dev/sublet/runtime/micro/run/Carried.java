package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/** A carried variable while its nest runs: the common part of all types. */
abstract class Carried {

  private final ReduceOperator operator;
  private final int depth;

  /** The positions, for argmax and argmin; of length 0 for other operators. */
  private final long[] positions;

  private final boolean[] taken;

  Carried(ReduceOperator operator, int depth) {
    this.operator = operator;
    this.depth = depth;
    this.positions = new long[operator.isPosition() ? VectorizationPlan.LANES : 0];
    this.taken = new boolean[positions.length];
  }

  /** Returns the operator that folds values into the variable. */
  ReduceOperator operator() {
    return operator;
  }

  /** Returns the depth of the loop that carries the variable. */
  int depth() {
    return depth;
  }

  /** Resets the first {@code lanes} lanes to the initial value. */
  abstract void reset(int lanes);

  /** Returns the positions of the best values per lane; 0 where there is no value. */
  long[] positions() {
    return positions;
  }

  /** Resets the positions of the first {@code lanes} lanes. */
  void resetPositions(int lanes) {
    if (operator.isPosition()) {
      Arrays.fill(positions, 0, lanes, 0);
      Arrays.fill(taken, 0, lanes, false);
    }
  }

  /** Whether a lane has not received a value yet. */
  boolean isEmpty(int lane) {
    return !taken[lane];
  }

  /** Records the best position of a lane. */
  void take(int lane, long position) {
    positions[lane] = position;
    taken[lane] = true;
  }
}
