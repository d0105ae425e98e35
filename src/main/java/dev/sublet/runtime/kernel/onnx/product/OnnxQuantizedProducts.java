package dev.sublet.runtime.kernel.onnx.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.Quantities;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/** Products of matrices whose elements are integers of 8 or 16 bits. */
public final class OnnxQuantizedProducts {

  private OnnxQuantizedProducts() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    add(family, "MatMulInteger", OnnxQuantizedProducts::integers);
    add(family, "QLinearMatMul", OnnxQuantizedProducts::quantized);
    add(family, "com.microsoft.MatMulInteger16", OnnxQuantizedProducts::integers);
    add(family, "com.microsoft.QGemm", OnnxQuantizedProducts::gemm);
    add(family, "com.microsoft.DynamicQuantizeMatMul", OnnxQuantizedProducts::dynamic);
    family.lowered(
        "com.microsoft.MatMulNBits", Use.MOVES, OutputTypes.like(0), OnnxQuantizedProducts::packed);
    family.lowered(
        "com.microsoft.MatMulIntegerToFloat",
        Use.MOVES,
        OutputTypes.like(2),
        OnnxQuantizedProducts::toFloat);
  }

  private static void add(OnnxFamily family, String type, Lowering lowering) {
    family.lowered(type, Use.MOVES, OutputTypes.asComputed(), lowering);
  }

  private static void integers(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue a = centered(lowering, f, lowering.in("0"), "2", /* isRight= */ false);
    MicroValue b = centered(lowering, f, lowering.in("1"), "3", /* isRight= */ true);
    boolean isNarrow = f.type(lowering.in("0")).isNarrow() && f.type(lowering.in("1")).isNarrow();
    lowering.out("0", isNarrow ? ExactSums.product(f, a, b) : OnnxProducts.product(f, a, b));
  }

  /**
   * Returns a factor minus its zero point, if there is one: a number, or a vector with one element
   * per row on the left and per column on the right.
   */
  private static MicroValue centered(
      LoweringCall lowering, Formula f, MicroValue x, String zeroPoint, boolean isRight) {
    if (!lowering.call().has(zeroPoint)) {
      return f.as(ElementType.INT32, x);
    }
    MicroValue zero = perLine(f, lowering.in(zeroPoint), f.shape(x), isRight);
    return Quantities.centered(f, x, zero);
  }

  /** Returns a parameter of rows or columns in a shape; a parameter of batches keeps its axes. */
  private static MicroValue perLine(Formula f, MicroValue x, long[] shape, boolean isRight) {
    long[] from = f.shape(x);
    if (from.length > 1 && Arrays.stream(from).anyMatch(extent -> extent != 1)) {
      return NumpyBroadcast.stretch(f, x, shape);
    }
    MicroValue flat = from.length > 1 ? f.reshape(x) : x;
    int axis = isRight || shape.length < 2 ? shape.length - 1 : shape.length - 2;
    return OnnxOperands.along(f, flat, shape, axis);
  }

  /**
   * Lowers QLinearMatMul. Inputs: a, its scale and zero point, the same of b, the scale and zero
   * point of the result.
   */
  private static void quantized(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue a = centered(lowering, f, lowering.in("0"), "2", /* isRight= */ false);
    MicroValue b = centered(lowering, f, lowering.in("3"), "5", /* isRight= */ true);
    MicroValue sums = f.as(ElementType.FLOAT32, ExactSums.product(f, a, b));
    MicroValue scale = scale(f, lowering, "1", "4", f.shape(sums));
    scale = f.over(scale, OnnxOperands.single(f, f.as(ElementType.FLOAT32, lowering.in("6"))));
    MicroValue zero = OnnxOperands.single(f, lowering.in("7"));
    lowering.out("0", Quantities.stored(f, f.times(sums, scale), zero));
  }

  /** Returns the product of the scales of both factors; it fits a shape. */
  private static MicroValue scale(
      Formula f, LoweringCall lowering, String left, String right, long[] shape) {
    MicroValue a = f.as(ElementType.FLOAT32, lowering.in(left));
    MicroValue b = f.as(ElementType.FLOAT32, lowering.in(right));
    return f.times(
        perLine(f, a, shape, /* isRight= */ false), perLine(f, b, shape, /* isRight= */ true));
  }

  /**
   * Lowers QGemm. Inputs: a, its scale and zero point, the same of b, c, and, unless the result is
   * FLOAT32, its scale and zero point.
   */
  private static void gemm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    boolean transposesB = call.flag("transB", false);
    MicroValue a = centered(lowering, f, lowering.in("0"), "2", /* isRight= */ false);
    MicroValue right = OnnxProducts.transposed(f, lowering.in("3"), transposesB);
    MicroValue b = centered(lowering, f, right, "5", /* isRight= */ true);
    a = OnnxProducts.transposed(f, a, call.flag("transA", false));
    MicroValue sums = ExactSums.product(f, a, b);
    if (call.has("6")) {
      sums = f.plus(sums, NumpyBroadcast.stretch(f, lowering.in("6"), f.shape(sums)));
    }
    MicroValue scale = scale(f, lowering, "1", "4", f.shape(sums));
    scale = f.times(scale, call.real("alpha", 1));
    MicroValue numbers = f.as(ElementType.FLOAT32, sums);
    if (!call.has("7")) {
      lowering.out("0", f.times(numbers, scale));
      return;
    }
    scale = f.over(scale, OnnxOperands.single(f, lowering.in("7")));
    MicroValue zero = OnnxOperands.single(f, lowering.in("8"));
    lowering.out("0", Quantities.stored(f, f.times(numbers, scale), zero));
  }

  /** Lowers MatMulIntegerToFloat. Inputs: a, b, their scales, their zero points, a bias. */
  private static void toFloat(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue a = centered(lowering, f, lowering.in("0"), "4", /* isRight= */ false);
    MicroValue b = centered(lowering, f, lowering.in("1"), "5", /* isRight= */ true);
    MicroValue sums = f.as(ElementType.FLOAT32, ExactSums.product(f, a, b));
    MicroValue out = f.times(sums, scale(f, lowering, "2", "3", f.shape(sums)));
    lowering.out("0", withBias(lowering, f, out, "6"));
  }

  private static MicroValue withBias(LoweringCall lowering, Formula f, MicroValue x, String slot) {
    return lowering.call().has(slot)
        ? f.plus(x, NumpyBroadcast.stretch(f, lowering.in(slot), f.shape(x)))
        : x;
  }

  /** Lowers DynamicQuantizeMatMul. Inputs: a as FLOAT32, b, its scale and zero point, a bias. */
  private static void dynamic(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    Quantities.Dynamic a = Quantities.Dynamic.of(f, lowering.in("0"));
    MicroValue b = centered(lowering, f, lowering.in("1"), "3", /* isRight= */ true);
    MicroValue sums = f.as(ElementType.FLOAT32, ExactSums.product(f, a.centered(), b));
    MicroValue scale = perLine(f, lowering.in("2"), f.shape(sums), /* isRight= */ true);
    MicroValue out = f.times(sums, f.times(a.scale(), scale));
    lowering.out("0", withBias(lowering, f, out, "4"));
  }

  /**
   * Lowers MatMulNBits. Inputs: a; b with the axes column, block, byte, in which a byte has two
   * integers of 4 bits, the lower bits first; the scale of each block; its zero point, 8 by
   * default, packed likewise; (nothing); a bias.
   */
  private static void packed(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long block = call.integer("block_size", 32);
    long[] blob = call.shape("1", 3).toArray();
    long inner = call.integer("K", 0);
    boolean fits =
        2 * blob[2] == block && inner <= blob[1] * block && blob[0] == call.integer("N", 0);
    if (!fits || call.integer("bits", 4) != 4 || call.has("4")) {
      throw new OperatorException(
          "blocks of "
              + block
              + " numbers in "
              + Arrays.toString(blob)
              + ", or g_idx, or no 4 bits");
    }
    long[] shape = {blob[0], inner};
    IndexExpression column = Indices.loop(0);
    IndexExpression place = Indices.over(Indices.loop(1), block);
    MicroValue bytes =
        f.reindex(
            lowering.in("1"),
            shape,
            column,
            place,
            Indices.over(Indices.modulo(Indices.loop(1), block), 2));
    MicroValue integers = half(f, bytes, shape, Indices.loop(1));
    MicroValue scales = lowering.in("2");
    MicroValue scale = f.reindex(f.reshape(scales, blob[0], blob[1]), shape, column, place);
    MicroValue centered =
        f.minus(
            f.as(f.type(scales), integers), zeroPoints(lowering, f, f.type(scales), shape, place));
    MicroValue b = f.transpose(f.times(centered, scale), 1, 0);
    lowering.out("0", withBias(lowering, f, OnnxProducts.product(f, lowering.in("0"), b), "5"));
  }

  /** Returns the lower 4 bits for even numbers, the upper ones for odd numbers. */
  private static MicroValue half(
      Formula f, MicroValue bytes, long[] shape, IndexExpression number) {
    MicroValue wide = f.as(ElementType.INT32, bytes);
    MicroValue isOdd =
        f.apply(BinaryOperator.EQUAL, f.position(shape, Indices.modulo(number, 2)), 1L);
    return f.graph().choose(isOdd, f.over(wide, 16L), f.apply(BinaryOperator.MODULO, wide, 16L));
  }

  private static MicroValue zeroPoints(
      LoweringCall lowering, Formula f, ElementType type, long[] shape, IndexExpression place) {
    if (!lowering.call().has("3")) {
      return f.graph().scalar(type, 8.0);
    }
    MicroValue given = lowering.in("3");
    MicroValue rows = f.reshape(given, shape[0], Shapes.count(f.shape(given)) / shape[0]);
    if (f.type(given).isFloating()) {
      return f.as(type, f.reindex(rows, shape, Indices.loop(0), place));
    }
    MicroValue bytes = f.reindex(rows, shape, Indices.loop(0), Indices.over(place, 2));
    return f.as(type, half(f, bytes, shape, place));
  }
}
