package dev.sublet.runtime.kernel.onnx.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.product.ProductLowerings;
import dev.sublet.runtime.micro.op.MicroValue;

/** Products of matrices, and of batches of matrices. */
public final class OnnxProducts {

  private OnnxProducts() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.lowered("MatMul", Use.BITS, OutputTypes.like(0), OnnxProducts::matmul);
    family.lowered("Gemm", Use.BITS, OutputTypes.like(0), OnnxProducts::gemm);
    family.numbers("com.microsoft.FusedGemm", OnnxProducts::gemm);
    family.numbers("com.microsoft.FusedMatMul", OnnxProducts::fusedMatmul);
    family.numbers("com.microsoft.TransposeMatMul", OnnxProducts::fusedMatmul);
  }

  /**
   * Returns the product of two matrices, or of batches that broadcast. A vector on the left is a
   * row, and a vector on the right a column; its axis is not in the result.
   */
  public static MicroValue product(Formula f, MicroValue a, MicroValue b) {
    MicroValue product = ProductLowerings.product(f, a, b);
    boolean isNumber = f.rank(a) == 1 && f.rank(b) == 1;
    return isNumber ? f.reshape(product) : product;
  }

  private static void matmul(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("0", product(f, lowering.in("0"), lowering.in("1")));
  }

  /** Lowers {@code alpha · A B + beta · C}, and the activation of FusedGemm. */
  private static void gemm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    call.shape("0", 2);
    call.shape("1", 2);
    MicroValue a = transposed(f, lowering.in("0"), call.flag("transA", false));
    MicroValue b = transposed(f, lowering.in("1"), call.flag("transB", false));
    MicroValue out = scaled(f, product(f, a, b), call.real("alpha", 1));
    double beta = call.real("beta", 1);
    if (call.has("2") && beta != 0) {
      MicroValue c = NumpyBroadcast.stretch(f, lowering.in("2"), f.shape(out));
      out = f.plus(out, scaled(f, c, beta));
    }
    FusedActivation activation =
        new FusedActivation(
            call.text("activation", ""),
            call.real("activation_alpha", 0.01),
            call.real("activation_beta", 0));
    lowering.out("0", activation.apply(f, out));
  }

  private static MicroValue scaled(Formula f, MicroValue x, double factor) {
    return factor == 1 ? x : f.times(x, factor);
  }

  /** Returns matrices with their rows as columns, if asked for. */
  public static MicroValue transposed(Formula f, MicroValue x, boolean transposes) {
    int rank = f.rank(x);
    if (!transposes || rank < 2) {
      return x;
    }
    int[] order = Shapes.range(0, rank);
    order[rank - 2] = rank - 1;
    order[rank - 1] = rank - 2;
    return f.transpose(x, order);
  }

  private static void fusedMatmul(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue a = batched(f, lowering.in("0"), call.flag("transBatchA", false));
    MicroValue b = batched(f, lowering.in("1"), call.flag("transBatchB", false));
    a = transposed(f, a, call.flag("transA", false));
    b = transposed(f, b, call.flag("transB", false));
    lowering.out("0", scaled(f, product(f, a, b), call.real("alpha", 1)));
  }

  /** Moves the first axis after the axes of the batches, if asked for. */
  private static MicroValue batched(Formula f, MicroValue x, boolean isMoved) {
    int rank = f.rank(x);
    if (!isMoved) {
      return x;
    }
    if (rank < 3) {
      throw new OperatorException("a batch axis of a tensor of " + rank + " axes");
    }
    int[] order = Shapes.range(1, rank + 1);
    order[rank - 2] = 0;
    order[rank - 1] = rank - 1;
    return f.transpose(x, order);
  }
}
