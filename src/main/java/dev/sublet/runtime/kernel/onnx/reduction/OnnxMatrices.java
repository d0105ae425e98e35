package dev.sublet.runtime.kernel.onnx.reduction;

import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.function.DoubleUnaryOperator;

/** Determinants and inverses of square matrices, and distances between the rows of two matrices. */
public final class OnnxMatrices {

  private OnnxMatrices() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("Det", Use.NUMBERS, OutputTypes.like(0), OnnxMatrices::determinant);
    family.numbers("com.microsoft.CDist", OnnxMatrices::distances);
    family.kernel("com.microsoft.Inverse", Use.NUMBERS, OutputTypes.like(0), OnnxMatrices::inverse);
  }

  private static int extent(Tensor x) {
    int rank = x.rank();
    if (!x.type().isFloating()) {
      throw new OperatorException("matrices of " + x.type());
    }
    if (rank < 2 || x.size(rank - 1) != x.size(rank - 2)) {
      throw new OperatorException("input 0 has the shape " + x.shape() + ", not square matrices");
    }
    return (int) x.size(rank - 1);
  }

  private static OperatorResult determinant(OperatorCall call) {
    Tensor x = call.input("0");
    int n = extent(x);
    Tensor out = Tensor.zeros(x.type(), x.shape().subArray(0, x.rank() - 2).trimmed());
    for (int i = 0; i < out.length(); i++) {
      ElementWriter.put(out, i, eliminate(matrix(x, i, n), n, n, rounding(x)));
    }
    return OperatorResult.of("0", out);
  }

  /** Returns the rounding after each operation, so that singular matrices stay singular. */
  private static DoubleUnaryOperator rounding(Tensor x) {
    return x.type() == ElementType.FLOAT64 ? value -> value : value -> (float) value;
  }

  private static double[] matrix(Tensor x, int index, int n) {
    double[] matrix = new double[n * n];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = x.getDouble(index * n * n + i);
    }
    return matrix;
  }

  /** Each matrix, with the unit matrix on its right, is transformed to the unit matrix. */
  private static OperatorResult inverse(OperatorCall call) {
    Tensor x = call.input("0");
    int n = extent(x);
    Tensor out = Tensor.zeros(x.type(), x.shape());
    for (int index = 0; index * n * n < x.length(); index++) {
      double[] wide = new double[2 * n * n];
      for (int i = 0; i < n; i++) {
        System.arraycopy(matrix(x, index, n), i * n, wide, 2 * i * n, n);
        wide[2 * i * n + n + i] = 1;
      }
      eliminate(wide, n, 2 * n, rounding(x));
      for (int column = n; column < 2 * n; column++) {
        for (int row = n - 1; row >= 0; row--) {
          double rest = wide[2 * row * n + column];
          for (int k = row + 1; k < n; k++) {
            rest -= wide[2 * row * n + k] * wide[2 * k * n + column];
          }
          wide[2 * row * n + column] = rest / wide[2 * row * n + row];
          int to = (index * n + row) * n + column - n;
          ElementWriter.put(out, to, wide[2 * row * n + column]);
        }
      }
    }
    return OperatorResult.of("0", out);
  }

  /**
   * Makes the first n columns of a matrix of n rows upper triangular, by Gauss's elimination with
   * the largest pivots, and returns the determinant of these columns. O(n² × columns).
   *
   * @param rounding the rounding after each operation
   */
  private static double eliminate(
      double[] matrix, int n, int columns, DoubleUnaryOperator rounding) {
    double determinant = 1;
    for (int k = 0; k < n; k++) {
      int pivot = k;
      for (int row = k + 1; row < n; row++) {
        boolean isLarger =
            Math.abs(matrix[row * columns + k]) > Math.abs(matrix[pivot * columns + k]);
        pivot = isLarger ? row : pivot;
      }
      for (int i = 0; i < columns && pivot != k; i++) {
        double swapped = matrix[k * columns + i];
        matrix[k * columns + i] = matrix[pivot * columns + i];
        matrix[pivot * columns + i] = swapped;
      }
      determinant *= pivot == k ? matrix[k * columns + k] : -matrix[k * columns + k];
      for (int row = k + 1; row < n && matrix[k * columns + k] != 0; row++) {
        double factor = rounding.applyAsDouble(matrix[row * columns + k] / matrix[k * columns + k]);
        for (int i = k; i < columns; i++) {
          double subtrahend = rounding.applyAsDouble(factor * matrix[k * columns + i]);
          matrix[row * columns + i] =
              rounding.applyAsDouble(matrix[row * columns + i] - subtrahend);
        }
      }
    }
    return determinant;
  }

  /** Lowers {@code CDist}: the distance of each row of one matrix to each row of another. */
  private static void distances(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue a = lowering.in("0");
    MicroValue b = lowering.in("1");
    long[] rows = Shapes.ofRank(2, f.shape(a), "input 0");
    long[] columns = Shapes.ofRank(2, f.shape(b), "input 1");
    if (rows[1] != columns[1]) {
      throw new OperatorException("rows of " + rows[1] + " and of " + columns[1] + " elements");
    }
    long[] all = {rows[0], columns[0], rows[1]};
    MicroValue difference = f.minus(f.along(a, all, 0, 2), f.along(b, all, 1, 2));
    MicroValue sum = f.reduceAway(Reduction.SUM, f.square(difference), 2);
    String metric = lowering.call().text("metric", "sqeuclidean");
    lowering.out("0", metric.equals("euclidean") ? f.sqrt(sum) : sum);
  }
}
