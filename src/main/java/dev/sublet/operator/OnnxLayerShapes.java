package dev.sublet.operator;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Shapes of ONNX's products, normalizations, recurrent layers, losses and transforms. */
final class OnnxLayerShapes {

  private OnnxLayerShapes() {}

  /** {@code MatMul} and its like: products of inputs 0 and 1 in that slot. */
  static ShapeRule product(String right) {
    return call -> {
      AbstractTensor x = call.in("0");
      AbstractTensor y = call.in(right);
      call.out("0", AbstractTensor.of(ProductShapes.batched(call, x, y, false, false)));
    };
  }

  /** {@code FusedMatMul}: either factor may be transposed, with its first axis too. */
  static void fusedProduct(ShapeCall call) {
    AbstractTensor x = batchMoved(call.in("0"), call.flag("transBatchA", false));
    AbstractTensor y = batchMoved(call.in("1"), call.flag("transBatchB", false));
    boolean xTransposed = x.rank() > 1 && call.flag("transA", false);
    boolean yTransposed = y.rank() > 1 && call.flag("transB", false);
    call.out("0", AbstractTensor.of(ProductShapes.batched(call, x, y, xTransposed, yTransposed)));
  }

  /** The first axis of such a factor is that of its rows; the batch is behind it. */
  private static AbstractTensor batchMoved(AbstractTensor x, boolean moves) {
    if (!moves || x.rank() < 3) {
      return x;
    }
    List<Quantity> dims = new ArrayList<>(x.dims());
    Quantity rows = dims.remove(0);
    dims.add(dims.size() - 1, rows);
    return AbstractTensor.of(dims);
  }

  /** {@code Gemm}: a product of two matrices, of which either may be transposed. */
  static ShapeRule gemm(String right) {
    return call -> {
      AbstractTensor x = call.in("0");
      AbstractTensor y = call.in(right);
      DimLists.checkRank(x, "A", 2);
      DimLists.checkRank(y, "B", 2);
      boolean xTransposed = call.flag("transA", false);
      boolean yTransposed = call.flag("transB", false);
      call.out("0", AbstractTensor.of(ProductShapes.batched(call, x, y, xTransposed, yTransposed)));
    };
  }

  /** {@code com.microsoft.MatMulNBits} and its like: {@code N} columns, or as input 2 says. */
  static void packedProduct(ShapeCall call) {
    AbstractTensor x = call.in("0");
    Quantity columns =
        call.hasAttribute("N")
            ? Quantity.of(call.integer("N", 0))
            : DimLists.element(call, call.in("2"), 1, "columns");
    call.out("0", AbstractTensor.of(DimLists.with(x.dims(), x.rank() - 1, columns)));
  }

  /** {@code Einsum}. */
  static void einsum(ShapeCall call) {
    call.out("0", AbstractTensor.of(ProductShapes.einsum(call, OnnxInputs.from(call, 0))));
  }

  /** {@code Det}: a number for each matrix. */
  static void determinant(ShapeCall call) {
    call.out("0", AbstractTensor.of(DimLists.dropLast(call.in("0"), 2)));
  }

  /** {@code BatchNormalization}: like input 0; statistics, in training, like the scale. */
  static void batchNormalization(ShapeCall call) {
    call.outAll(AbstractTensor.of(call.in("1").dims()));
    call.out("0", AbstractTensor.of(call.in("0").dims()));
  }

  /** {@code LayerNormalization}: like input 0; statistics with 1 from {@code axis} on. */
  static void layerNormalization(ShapeCall call) {
    AbstractTensor x = call.in("0");
    int axis = OnnxInputs.axis(call.integer("axis", -1), x.rank());
    List<Quantity> dims = new ArrayList<>(x.dims().subList(0, axis));
    dims.addAll(Collections.nCopies(x.rank() - axis, Quantity.of(1)));
    call.outAll(AbstractTensor.of(dims));
    call.out("0", AbstractTensor.of(x.dims()));
  }

  /**
   * {@code LSTM}, {@code GRU}, {@code RNN}: all states and the last one of each direction; {@code
   * layout} 1 has the batch first.
   */
  static void recurrent(ShapeCall call) {
    AbstractTensor x = call.in("0");
    DimLists.checkRank(x, "input", 3);
    AbstractTensor weights = call.in("2");
    Quantity hidden =
        call.hasAttribute("hidden_size")
            ? Quantity.of(call.integer("hidden_size", 0))
            : weights.dim(-1);
    Quantity directions =
        Quantity.of(call.text("direction", "forward").equals("bidirectional") ? 2 : 1);
    boolean batchFirst = call.integer("layout", 0) == 1;
    Quantity steps = x.dim(batchFirst ? 1 : 0);
    Quantity batch = x.dim(batchFirst ? 0 : 1);
    AbstractTensor last =
        batchFirst
            ? AbstractTensor.of(batch, directions, hidden)
            : AbstractTensor.of(directions, batch, hidden);
    call.outAll(last);
    call.out(
        "0",
        batchFirst
            ? AbstractTensor.of(batch, steps, directions, hidden)
            : AbstractTensor.of(steps, directions, batch, hidden));
  }

  /** Losses: one number, or without a reduction like the labels; further outputs like input 0. */
  static void loss(ShapeCall call) {
    boolean each = call.text("reduction", "mean").equals("none");
    call.outAll(AbstractTensor.of(call.in("0").dims()));
    call.out("0", AbstractTensor.of(each ? call.in("1").dims() : ImmutableList.of()));
  }

  /**
   * {@code DFT}: complex numbers, of a real inverse real ones; {@code onesided} leaves out the half
   * that is the mirror image of the other. The axis is an attribute before opset 20.
   */
  static void transform(ShapeCall call) {
    AbstractTensor x = call.in("0");
    int axis = OnnxInputs.axis(axisOfTransform(call).asLong(), x.rank());
    boolean onesided = call.flag("onesided", false);
    boolean inverse = call.flag("inverse", false);
    Quantity given = x.dim(axis);
    Quantity whole = onesided && inverse ? given.minus(1).times(2) : given;
    Quantity length = call.has("1") ? OnnxInputs.number(call, "1", "length", 0) : whole;
    List<Quantity> dims = new ArrayList<>(x.dims());
    dims.set(axis, onesided && !inverse ? length.floorDividedBy(2).plus(1) : length);
    dims.set(dims.size() - 1, Quantity.of(onesided && inverse ? 1 : 2));
    call.out("0", AbstractTensor.of(dims));
  }

  private static Quantity axisOfTransform(ShapeCall call) {
    boolean isOld = call.hasAttribute("axis");
    return isOld
        ? Quantity.of(call.integer("axis", 1))
        : call.has("2") ? OnnxInputs.number(call, "2", "axis", -2) : Quantity.of(-2);
  }

  /** {@code STFT}: complex numbers for each frame of each signal. */
  static void shortTransform(ShapeCall call) {
    AbstractTensor signal = call.in("0");
    Quantity step = OnnxInputs.number(call, "1", "frame_step", 1);
    Quantity length =
        call.has("3") ? OnnxInputs.number(call, "3", "frame_length", 1) : call.in("2").dim(0);
    Quantity frames = signal.dim(1).minus(length).floorDividedBy(step).plus(1);
    boolean onesided = call.flag("onesided", true);
    Quantity bins = onesided ? length.floorDividedBy(2).plus(1) : length;
    call.out("0", AbstractTensor.of(signal.dim(0), frames, bins, Quantity.of(2)));
  }
}
