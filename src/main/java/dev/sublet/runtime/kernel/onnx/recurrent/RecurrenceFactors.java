package dev.sublet.runtime.kernel.onnx.recurrent;

import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.Tensor;

/**
 * The factors of the products in a recurrence. In {@code DynamicQuantizeLSTM} the weights are
 * integers of 8 bits, and input and states are rounded to such integers.
 *
 * <p>Source: ONNX Runtime, which chooses a scale for the whole input, and for the states of the
 * whole batch in each step; if it divides the batch among threads, it chooses more scales.
 * O(factors) throughout.
 *
 * @param isQuantized whether the factors are rounded
 */
record RecurrenceFactors(boolean isQuantized) {

  /** The type of the operator that rounds. */
  static final String QUANTIZED = "com.microsoft.DynamicQuantizeLSTM";

  /** Returns the input as the products see it. */
  double[] ofInput(double[] x) {
    return isQuantized ? rounded(new double[][] {x})[0] : x;
  }

  /** Returns the states of a batch as the products see them, in new arrays. */
  double[][] ofStates(double[][] states) {
    if (isQuantized) {
      return rounded(states);
    }
    double[][] copies = new double[states.length][];
    for (int b = 0; b < copies.length; b++) {
      copies[b] = states[b].clone();
    }
    return copies;
  }

  /** Rounds numbers to 256 evenly spaced ones from the least to the largest; one of them is 0. */
  private static double[][] rounded(double[][] rows) {
    float least = 0;
    float most = 0;
    for (double[] row : rows) {
      for (double number : row) {
        least = Math.min(least, (float) number);
        most = Math.max(most, (float) number);
      }
    }
    float scale = most == least ? 1 : (most - least) / 255;
    double zero = Math.rint(-least / scale);
    double[][] result = new double[rows.length][];
    for (int b = 0; b < rows.length; b++) {
      result[b] = new double[rows[b].length];
      for (int i = 0; i < result[b].length; i++) {
        double whole = Math.rint((float) rows[b][i] / scale);
        result[b][i] = Math.min(Math.max(whole, -zero), 255 - zero) * scale;
      }
    }
    return result;
  }

  /**
   * Returns weights with one row per element of each gate, in each direction. Integers have the
   * columns of these rows, and scales and zero points for each direction or for each row.
   *
   * @param slot the slot of the weights, 1 or 2
   */
  double[] weights(OperatorCall call, String slot, double[] given, int directions, int rows) {
    if (!isQuantized) {
      return given;
    }
    int first = slot.equals("1") ? 8 : 10;
    Tensor scales = call.input(Integer.toString(first));
    Tensor zeros = call.input(Integer.toString(first + 1));
    boolean fits =
        scales.length() % directions == 0
            && zeros.length() % directions == 0
            && directions * rows % scales.length() == 0
            && directions * rows % zeros.length() == 0;
    if (!fits) {
      throw new OperatorException("scales " + scales.shape() + " of weights of " + rows + " rows");
    }
    int columns = given.length / (directions * rows);
    double[] weights = new double[given.length];
    for (int row = 0; row < directions * rows; row++) {
      int direction = row / rows;
      double scale = scales.getDouble(row * scales.length() / (directions * rows));
      double zero = zeros.getDouble(row * zeros.length() / (directions * rows));
      for (int k = 0; k < columns; k++) {
        int at = (direction * columns + k) * rows + row % rows;
        weights[row * columns + k] = (given[at] - zero) * scale;
      }
    }
    return weights;
  }
}
