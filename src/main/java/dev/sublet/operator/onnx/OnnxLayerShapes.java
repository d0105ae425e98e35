package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.product.ProductShapes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Shapes of ONNX's products, normalizations, recurrent layers, losses and transforms. */
final class OnnxLayerShapes {

  private OnnxLayerShapes() {}

  /**
   * Returns the rule of {@code MatMul} and similar operators: the product of input 0 and the input
   * in slot {@code right}.
   */
  static ShapeRule product(String right) {
    return call -> {
      AbstractShape x = call.in("0");
      AbstractShape y = call.in(right);
      boolean areVectors = x.rank() == 1 && y.rank() == 1;
      if (areVectors
          && x.dim(0).isExact()
          && y.dim(0).isExact()
          && !x.dim(0).is(y.dim(0).value())) {
        // ONNX Runtime does not check the lengths of two vectors.
        throw new UnknownShapeException("a product of " + x + " and " + y);
      }
      call.out("0", AbstractShape.of(ProductShapes.batched(call, x, y, false, false)));
    };
  }

  /**
   * {@code FusedMatMul}: either factor may be transposed, and its first axis may be that of the
   * rows.
   */
  static void fusedProduct(ShapeCall call) {
    AbstractShape x = batchMoved(call.in("0"), call.flag("transBatchA", false));
    AbstractShape y = batchMoved(call.in("1"), call.flag("transBatchB", false));
    boolean xTransposed = x.rank() > 1 && call.flag("transA", false);
    boolean yTransposed = y.rank() > 1 && call.flag("transB", false);
    call.out("0", AbstractShape.of(ProductShapes.batched(call, x, y, xTransposed, yTransposed)));
  }

  /**
   * Moves the first axis, which is that of the rows, to after the batch axes; returns the shape
   * unchanged if {@code moves} is false.
   */
  private static AbstractShape batchMoved(AbstractShape x, boolean moves) {
    if (!moves || x.rank() < 3) {
      return x;
    }
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    SymbolicExtent rows = dims.remove(0);
    dims.add(dims.size() - 1, rows);
    return AbstractShape.of(dims);
  }

  /**
   * Returns the rule of {@code Gemm}: a product of two matrices, either of which may be transposed.
   * The second matrix is in slot {@code right}.
   */
  static ShapeRule gemm(String right) {
    return call -> {
      AbstractShape x = call.in("0");
      AbstractShape y = call.in(right);
      if (x.rank() == 1) {
        throw new UnknownShapeException("A is a vector"); // ONNX Runtime takes it
      }
      DimLists.checkRank(x, "A", 2);
      DimLists.checkRank(y, "B", 2);
      boolean xTransposed = call.flag("transA", false);
      boolean yTransposed = call.flag("transB", false);
      call.out("0", AbstractShape.of(ProductShapes.batched(call, x, y, xTransposed, yTransposed)));
    };
  }

  /**
   * {@code com.microsoft.MatMulNBits} and similar operators: the number of columns is {@code N}, or
   * is in input 2.
   */
  static void packedProduct(ShapeCall call) {
    AbstractShape x = call.in("0");
    SymbolicExtent columns =
        call.hasAttribute("N")
            ? SymbolicExtent.of(call.integer("N", 0))
            : DimLists.element(call, call.in("2"), 1, "columns");
    call.out("0", AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, columns)));
  }

  /** {@code Einsum}. */
  static void einsum(ShapeCall call) {
    call.out("0", AbstractShape.of(ProductShapes.einsum(call, OnnxInputs.from(call, 0))));
  }

  /** {@code Det}: one number per matrix. */
  static void determinant(ShapeCall call) {
    call.out("0", AbstractShape.of(DimLists.dropLast(call.in("0"), 2)));
  }

  /**
   * {@code BatchNormalization}: output 0 is like input 0; the statistics of training are like the
   * scale.
   */
  static void batchNormalization(ShapeCall call) {
    call.outAll(AbstractShape.of(call.in("1").dims()));
    call.out("0", AbstractShape.of(call.in("0").dims()));
  }

  /**
   * {@code LayerNormalization}: output 0 is like input 0; the statistics have extents of 1 from
   * {@code axis} on.
   */
  static void layerNormalization(ShapeCall call) {
    AbstractShape x = call.in("0");
    int axis = OnnxInputs.axis(call.integer("axis", -1), x.rank());
    List<SymbolicExtent> dims = new ArrayList<>(x.dims().subList(0, axis));
    dims.addAll(Collections.nCopies(x.rank() - axis, SymbolicExtent.of(1)));
    call.outAll(AbstractShape.of(dims));
    call.out("0", AbstractShape.of(x.dims()));
  }

  /**
   * {@code LSTM}, {@code GRU}, {@code RNN}: output 0 contains all states, the other outputs contain
   * the last state of each direction. With {@code layout} 1 the batch axis comes first.
   */
  static void recurrent(ShapeCall call) {
    AbstractShape x = call.in("0");
    if (x.rank() < 3) {
      throw new UnknownShapeException("input " + x + " has less than 3 extents"); // not checked
    }
    DimLists.checkRank(x, "input", 3);
    AbstractShape weights = call.in("2");
    SymbolicExtent hidden =
        call.hasAttribute("hidden_size")
            ? SymbolicExtent.of(call.integer("hidden_size", 0))
            : weights.dim(-1);
    SymbolicExtent directions =
        SymbolicExtent.of(call.text("direction", "forward").equals("bidirectional") ? 2 : 1);
    boolean batchFirst = call.integer("layout", 0) == 1;
    SymbolicExtent steps = x.dim(batchFirst ? 1 : 0);
    SymbolicExtent batch = x.dim(batchFirst ? 0 : 1);
    AbstractShape last =
        batchFirst
            ? AbstractShape.of(batch, directions, hidden)
            : AbstractShape.of(directions, batch, hidden);
    call.outAll(last);
    call.out(
        "0",
        batchFirst
            ? AbstractShape.of(batch, steps, directions, hidden)
            : AbstractShape.of(steps, directions, batch, hidden));
  }

  /**
   * Losses: output 0 is a scalar, or without a reduction like the labels; further outputs are like
   * input 0.
   */
  static void loss(ShapeCall call) {
    boolean each = call.text("reduction", "mean").equals("none");
    call.outAll(AbstractShape.of(call.in("0").dims()));
    call.out("0", AbstractShape.of(each ? call.in("1").dims() : ImmutableList.of()));
  }

  /**
   * {@code DFT}: the output is complex, but real for the inverse of a one-sided transform. {@code
   * onesided} omits the half that mirrors the other half. The axis is an attribute before opset 20.
   */
  static void transform(ShapeCall call) {
    AbstractShape x = call.in("0");
    int axis = OnnxInputs.axis(axisOfTransform(call).asLong(), x.rank());
    boolean onesided = call.flag("onesided", false);
    boolean inverse = call.flag("inverse", false);
    SymbolicExtent given = x.dim(axis);
    SymbolicExtent whole = onesided && inverse ? given.minus(1).times(2) : given;
    SymbolicExtent length = call.has("1") ? OnnxInputs.number(call, "1", "length", 0) : whole;
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    dims.set(axis, onesided && !inverse ? length.floorDividedBy(2).plus(1) : length);
    dims.set(dims.size() - 1, SymbolicExtent.of(onesided && inverse ? 1 : 2));
    call.out("0", AbstractShape.of(dims));
  }

  private static SymbolicExtent axisOfTransform(ShapeCall call) {
    boolean isOld = call.hasAttribute("sublet.opset"); // before opset 20
    return isOld
        ? SymbolicExtent.of(call.integer("axis", 1))
        : call.has("2") ? OnnxInputs.number(call, "2", "axis", -2) : SymbolicExtent.of(-2);
  }

  /** {@code STFT}: the complex spectrum of each frame of each signal. */
  static void shortTransform(ShapeCall call) {
    AbstractShape signal = call.in("0");
    SymbolicExtent step = OnnxInputs.number(call, "1", "frame_step", 1);
    SymbolicExtent length =
        call.has("3") ? OnnxInputs.number(call, "3", "frame_length", 1) : call.in("2").dim(0);
    SymbolicExtent frames = signal.dim(1).minus(length).floorDividedBy(step).plus(1);
    boolean onesided = call.flag("onesided", true);
    SymbolicExtent bins = onesided ? length.floorDividedBy(2).plus(1) : length;
    call.out("0", AbstractShape.of(signal.dim(0), frames, bins, SymbolicExtent.of(2)));
  }
}
