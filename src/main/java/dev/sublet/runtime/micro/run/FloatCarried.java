package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/**
 * A FLOAT32 carried variable. A loop outside the lane loop carries one value, in lane 0; the lane
 * loop and the loops inside it carry one value per lane. The build derives the 64-bit variant of
 * this class from the 32-bit one.
 */
final class FloatCarried extends Carried {

  private final float[] values = new float[VectorizationPlan.LANES];

  FloatCarried(ReduceOperator operator, int depth) {
    super(operator, depth);
  }

  /** Returns the values; for argmax and argmin the best values so far. */
  float[] values() {
    return values;
  }

  @Override
  void reset(int lanes) {
    resetPositions(lanes);
    Arrays.fill(values, 0, lanes, first(operator()));
  }

  private static float first(ReduceOperator operator) {
    return switch (operator) {
      case SUM -> 0;
      case PRODUCT -> 1;
      case MAXIMUM, ARGMAX -> Float.NEGATIVE_INFINITY;
      case MINIMUM, ARGMIN -> Float.POSITIVE_INFINITY;
    };
  }

  /** Folds a value into each lane. */
  void fold(float[] taken, int lanes) {
    FloatLanes.foldLanes(operator(), values, taken, lanes);
  }

  /** Folds all lanes into the only value, in order. */
  void foldInOrder(float[] taken, int lanes) {
    values[0] = FloatLanes.foldInOrder(operator(), values[0], taken, lanes);
  }

  /** Folds a value and its position into a lane. */
  void foldPosition(int lane, float value, long position) {
    boolean better =
        operator() == ReduceOperator.ARGMAX ? value > values[lane] : value < values[lane];
    if (isEmpty(lane) || better || (Float.isNaN(value) && !Float.isNaN(values[lane]))) {
      values[lane] = value;
      take(lane, position);
    }
  }
}
