package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * An integer or boolean carried variable. A loop outside the lane loop carries one value, in lane
 * 0; the lane loop and the loops inside it carry one value per lane.
 */
final class LongCarried extends Carried {

  private final long[] values = new long[VectorizationPlan.LANES];
  private final ElementType type;

  LongCarried(ReduceOperator operator, ElementType type, int depth) {
    super(operator, depth);
    this.type = type;
  }

  /** Returns the values; for argmax and argmin the best values so far. */
  long[] values() {
    return values;
  }

  @Override
  void reset(int lanes) {
    resetPositions(lanes);
    Arrays.fill(values, 0, lanes, first());
  }

  private long first() {
    return switch (operator()) {
      case SUM -> 0;
      case PRODUCT -> 1;
      case MAXIMUM, ARGMAX ->
          type == ElementType.INT64
              ? Long.MIN_VALUE
              : type == ElementType.INT32 ? Integer.MIN_VALUE : 0;
      case MINIMUM, ARGMIN ->
          type == ElementType.INT64
              ? Long.MAX_VALUE
              : type == ElementType.INT32 ? Integer.MAX_VALUE : 1;
    };
  }

  /** Folds a value into each lane. */
  void fold(long[] taken, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      values[lane] = LongLanes.fold(operator(), type, values[lane], taken[lane]);
    }
  }

  /** Folds all lanes into the only value, in order. */
  void foldInOrder(long[] taken, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      values[0] = LongLanes.fold(operator(), type, values[0], taken[lane]);
    }
  }

  /** Folds a value and its position into a lane. */
  void foldPosition(int lane, long value, long position) {
    boolean better =
        operator() == ReduceOperator.ARGMAX ? value > values[lane] : value < values[lane];
    if (isEmpty(lane) || better) {
      values[lane] = value;
      take(lane, position);
    }
  }
}
