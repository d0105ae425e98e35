package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * An integer or boolean carried variable: of a loop outside the lane loop one value, in lane 0;
 * else one a lane.
 */
final class LongCarried extends Carried {

  private final long[] values = new long[VectorizationPlan.LANES];
  private final ElementType type;

  LongCarried(ReduceOperator operator, ElementType type, int depth) {
    super(operator, depth);
    this.type = type;
  }

  /** The values, or for argmax and argmin the best values so far. */
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

  /** Each lane takes its value in. */
  void fold(long[] taken, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      values[lane] = LongLanes.fold(operator(), type, values[lane], taken[lane]);
    }
  }

  /** The one value takes all lanes in. */
  void foldInOrder(long[] taken, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      values[0] = LongLanes.fold(operator(), type, values[0], taken[lane]);
    }
  }

  /** A lane takes a value at a position in. */
  void foldPosition(int lane, long value, long position) {
    boolean better =
        operator() == ReduceOperator.ARGMAX ? value > values[lane] : value < values[lane];
    if (isEmpty(lane) || better) {
      values[lane] = value;
      take(lane, position);
    }
  }
}
