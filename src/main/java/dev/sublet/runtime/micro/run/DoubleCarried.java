package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/**
 * A FLOAT64 carried variable: of a loop outside the lane loop one value, in lane 0; else one a
 * lane.
 */
final class DoubleCarried extends Carried {

  private final double[] values = new double[VectorizationPlan.LANES];

  DoubleCarried(ReduceOperator operator, int depth) {
    super(operator, depth);
  }

  /** The values, or for argmax and argmin the best values so far. */
  double[] values() {
    return values;
  }

  @Override
  void reset(int lanes) {
    resetPositions(lanes);
    Arrays.fill(values, 0, lanes, first(operator()));
  }

  private static double first(ReduceOperator operator) {
    return switch (operator) {
      case SUM -> 0;
      case PRODUCT -> 1;
      case MAXIMUM, ARGMAX -> Double.NEGATIVE_INFINITY;
      case MINIMUM, ARGMIN -> Double.POSITIVE_INFINITY;
    };
  }

  /** Each lane takes its value in. */
  void fold(double[] taken, int lanes) {
    DoubleLanes.foldLanes(operator(), values, taken, lanes);
  }

  /** The one value takes all lanes in. */
  void foldInOrder(double[] taken, int lanes) {
    values[0] = DoubleLanes.foldInOrder(operator(), values[0], taken, lanes);
  }

  /** A lane takes a value at a position in. */
  void foldPosition(int lane, double value, long position) {
    boolean better =
        operator() == ReduceOperator.ARGMAX ? value > values[lane] : value < values[lane];
    if (isEmpty(lane) || better || (Double.isNaN(value) && !Double.isNaN(values[lane]))) {
      values[lane] = value;
      take(lane, position);
    }
  }
}
