package dev.sublet.runtime.kernel.product;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.Arrays;
import java.util.List;

/** Products of vectors, of matrices, and of batches of matrices. */
public final class ProductLowerings {

  private ProductLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("addmm", ProductLowerings::addmm);
    kernels.differentiated("bmm", ProductLowerings::bmm);
    kernels.differentiated("dot", ProductLowerings::dot);
    kernels.lowered("fc", ProductLowerings::fullyConnected);
    kernels.differentiated("matmul", ProductLowerings::matmulWithAlpha);
    kernels.differentiated("matmul_v2", ProductLowerings::matmulV2);
    kernels.differentiated("mul", ProductLowerings::mul);
    kernels.differentiated("mv", ProductLowerings::mv);
  }

  /**
   * Lowers {@code addmm}: {@code Out = beta · Input + alpha · X Y}. Extents of 1 of {@code Input}
   * repeat.
   */
  static void addmm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue product = product(f, lowering.in("X"), lowering.in("Y"));
    long[] shape = f.shape(product);
    MicroValue input = f.stretch(lowering.in("Input"), shape);
    MicroValue scaled = f.times(input, lowering.call().real("Beta", 1));
    lowering.out("Out", f.plus(scaled, f.times(product, lowering.call().real("Alpha", 1))));
  }

  /**
   * Lowers {@code dot}: {@code Out} are the scalar products of the vectors along the last axis,
   * which stays with extent 1.
   */
  static void dot(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue products = f.times(lowering.in("X"), lowering.in("Y"));
    Shapes.ofRankFrom(1, f.shape(products), "X");
    lowering.out("Out", f.reduce(Reduction.SUM, products, f.rank(products) - 1));
  }

  /** Lowers {@code mv}: {@code Out} is a matrix times a vector. */
  static void mv(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue matrix = lowering.in("X");
    MicroValue vector = lowering.in("Vec");
    Shapes.ofRank(2, f.shape(matrix), "X");
    Shapes.ofRank(1, f.shape(vector), "Vec");
    lowering.out("Out", product(f, matrix, vector));
  }

  private static void bmm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("Out", product(f, lowering.in("X"), lowering.in("Y")));
  }

  static void matmulWithAlpha(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    if (!call.integers("fused_reshape_Out").isEmpty()
        || !call.integers("fused_reshape_X").isEmpty()
        || !call.integers("fused_reshape_Y").isEmpty()) {
      throw new OperatorException("a product that is fused with a reshape");
    }
    for (String slot : new String[] {"X", "Y"}) {
      ImmutableLongArray shape = call.shape(slot);
      int batchAxes = Math.max(0, shape.length() - 2);
      if (shape.subArray(0, batchAxes).contains(0)) {
        throw new OperatorException(
            "no batches of " + slot + ": " + shape + ", of which Paddle drops the batch axes");
      }
    }
    Formula f = new Formula(lowering.graph());
    MicroValue x =
        transposed(f, lowering.in("X"), call.flag("transpose_X", false), /* isRow= */ true);
    MicroValue y =
        transposed(f, lowering.in("Y"), call.flag("transpose_Y", false), /* isRow= */ false);
    MicroValue product = product(f, x, inBatchesOf(f, x, y));
    double alpha = call.real("alpha", 1);
    lowering.out("Out", alpha == 1 ? product : f.times(product, alpha));
  }

  /**
   * Returns the right factor with the batch axes of the left one, if both have some. {@code matmul}
   * does not broadcast: it multiplies as many matrices as there are, one by one.
   */
  private static MicroValue inBatchesOf(Formula f, MicroValue x, MicroValue y) {
    long[] left = f.shape(x);
    long[] right = f.shape(y);
    if (left.length < 3 || right.length < 3) {
      return y;
    }
    if (Shapes.count(left, 0, left.length - 2) != Shapes.count(right, 0, right.length - 2)) {
      throw new OperatorException(
          "batches of " + Arrays.toString(left) + " and " + Arrays.toString(right));
    }
    long[] shape = Arrays.copyOf(left, left.length);
    shape[left.length - 2] = right[right.length - 2];
    shape[left.length - 1] = right[right.length - 1];
    return Arrays.equals(shape, right) ? y : f.reshape(y, shape);
  }

  /** Lowers {@code matmul_v2}, in which vectors are never transposed. */
  static void matmulV2(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    boolean transposesX = call.flag("trans_x", false) && call.shape("X").length() > 1;
    boolean transposesY = call.flag("trans_y", false) && call.shape("Y").length() > 1;
    Formula f = new Formula(lowering.graph());
    MicroValue x = transposed(f, lowering.in("X"), transposesX, /* isRow= */ true);
    MicroValue y = transposed(f, lowering.in("Y"), transposesY, /* isRow= */ false);
    lowering.out("Out", product(f, x, y));
  }

  private static MicroValue transposed(Formula f, MicroValue x, boolean transposes, boolean isRow) {
    if (!transposes) {
      return x;
    }
    int rank = Shapes.ofRankFrom(1, f.shape(x), isRow ? "X" : "Y").length;
    if (rank == 1) {
      long extent = f.shape(x)[0];
      if (extent == 1) {
        return x; // the product removes its axis either way
      }
      // Swap the axes: a row becomes a column, and a column becomes a row.
      return isRow ? f.reshape(x, extent, 1) : f.reshape(x, 1, extent);
    }
    int[] order = Shapes.range(0, rank);
    order[rank - 2] = rank - 1;
    order[rank - 1] = rank - 2;
    return f.transpose(x, order);
  }

  /**
   * Returns the product of two matrices, or of batches of matrices, whose leading extents
   * broadcast. A vector on the left is a row, and a vector on the right a column; its axis is
   * removed from the result.
   */
  public static MicroValue product(Formula f, MicroValue x, MicroValue y) {
    long[] left = Shapes.ofRankFrom(1, f.shape(x), "X");
    long[] right = Shapes.ofRankFrom(1, f.shape(y), "Y");
    long[] leftLeading = Arrays.copyOf(left, Math.max(left.length - 2, 0));
    long[] rightLeading = Arrays.copyOf(right, Math.max(right.length - 2, 0));
    long[] leading = broadcast(leftLeading, rightLeading);
    int rows = left.length > 1 ? 1 : 0;
    int columns = right.length > 1 ? 1 : 0;
    long inner = left[left.length - 1];
    if (inner != right[right.length - 1 - columns]) {
      throw new OperatorException(
          "X " + Arrays.toString(left) + " times Y " + Arrays.toString(right));
    }
    long[] kept = Arrays.copyOf(leading, leading.length + rows + columns);
    if (rows == 1) {
      kept[leading.length] = left[left.length - 2];
    }
    if (columns == 1) {
      kept[leading.length + rows] = right[right.length - 1];
    }
    IndexExpression k = loop(kept.length);
    IndexExpression[] xAt = leadingIndices(leftLeading, leading.length, left.length);
    xAt[left.length - 1] = k;
    IndexExpression[] yAt = leadingIndices(rightLeading, leading.length, right.length);
    yAt[right.length - 1 - columns] = k;
    if (rows == 1) {
      xAt[left.length - 2] = loop(leading.length);
    }
    if (columns == 1) {
      yAt[right.length - 1] = loop(leading.length + rows);
    }
    return f.contract(kept, new long[] {inner}, x, xAt, y, yAt);
  }

  private static IndexExpression[] leadingIndices(long[] extents, int rank, int length) {
    IndexExpression[] at = new IndexExpression[length];
    for (int axis = 0; axis < extents.length; axis++) {
      at[axis] = extents[axis] == 1 ? number(0) : loop(rank - extents.length + axis);
    }
    return at;
  }

  /** Returns the broadcast shape of two shapes, aligned at their ends. */
  private static long[] broadcast(long[] left, long[] right) {
    long[] shape = new long[Math.max(left.length, right.length)];
    for (int fromEnd = 1; fromEnd <= shape.length; fromEnd++) {
      long a = fromEnd <= left.length ? left[left.length - fromEnd] : 1;
      long b = fromEnd <= right.length ? right[right.length - fromEnd] : 1;
      if (a != b && a != 1 && b != 1) {
        throw new OperatorException(
            "batches of " + Arrays.toString(left) + " and " + Arrays.toString(right));
      }
      shape[shape.length - fromEnd] = a == 1 ? b : a;
    }
    return shape;
  }

  /**
   * Lowers {@code mul}: {@code Out = X Y}. The axes before {@code x_num_col_dims} and {@code
   * y_num_col_dims} are the rows of the matrices, the other axes their columns.
   */
  static void mul(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    lowering.out(
        "Out",
        mul(
            f,
            lowering.in("X"),
            (int) call.integer("x_num_col_dims", 1),
            lowering.in("Y"),
            (int) call.integer("y_num_col_dims", 1)));
  }

  private static MicroValue mul(Formula f, MicroValue x, int xColumns, MicroValue y, int yColumns) {
    long[] left = f.shape(x);
    long[] right = f.shape(y);
    if (xColumns < 1 || xColumns >= left.length || yColumns < 1 || yColumns >= right.length) {
      throw new OperatorException("X and Y are not matrices, cut at " + xColumns + ", " + yColumns);
    }
    // The sum runs over the axes of the factor that has more summed axes, so that no index is
    // divided.
    long[] xInner = Arrays.copyOfRange(left, xColumns, left.length);
    long[] yInner = Arrays.copyOf(right, yColumns);
    if (Shapes.count(xInner) != Shapes.count(yInner)) {
      throw new OperatorException(
          "X " + Arrays.toString(left) + " times Y " + Arrays.toString(right));
    }
    long[] summed = xInner.length >= yInner.length ? xInner : yInner;
    long[] kept =
        Shapes.concat(
            Arrays.copyOf(left, xColumns), Arrays.copyOfRange(right, yColumns, right.length));
    IndexExpression[] xAt = new IndexExpression[left.length];
    IndexExpression[] yAt = new IndexExpression[right.length];
    for (int axis = 0; axis < xColumns; axis++) {
      xAt[axis] = loop(axis);
    }
    for (int axis = yColumns; axis < right.length; axis++) {
      yAt[axis] = loop(xColumns + axis - yColumns);
    }
    List<IndexExpression> xSummed = Indices.reshaped(xInner, summed, kept.length);
    for (int axis = 0; axis < xInner.length; axis++) {
      xAt[xColumns + axis] = xSummed.get(axis);
    }
    List<IndexExpression> ySummed = Indices.reshaped(yInner, summed, kept.length);
    for (int axis = 0; axis < yInner.length; axis++) {
      yAt[axis] = ySummed.get(axis);
    }
    return f.contract(kept, summed, x, xAt, y, yAt);
  }

  /** Lowers {@code fc}: {@code Out = act(Input W + Bias)}. */
  static void fullyConnected(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue w = lowering.in("W");
    if (call.flag("padding_weights", false)) {
      long[] padded = f.shape(w);
      w = f.reindex(w, new long[] {padded[0] - 4, padded[1] - 4}, loop(0), loop(1));
    }
    int columns = (int) call.integer("in_num_col_dims", 1);
    MicroValue out = mul(f, lowering.in("Input"), columns, w, 1);
    if (call.has("Bias")) {
      MicroValue bias = lowering.in("Bias");
      bias = f.reshape(bias, Shapes.count(f.shape(bias)));
      if (f.shape(bias)[0] != f.shape(w)[1]) {
        throw new OperatorException(
            "a bias of " + f.shape(bias)[0] + " elements for " + f.shape(w)[1] + " columns");
      }
      out = f.plus(out, f.along(bias, f.shape(out), f.rank(out) - 1));
    }
    String activation = call.text("activation_type", "");
    switch (activation) {
      case "" -> {}
      case "relu" -> out = f.apply(BinaryOperator.MAXIMUM, out, 0);
      default -> throw new OperatorException("the activation " + activation + " of fc");
    }
    lowering.out("Out", out);
  }
}
