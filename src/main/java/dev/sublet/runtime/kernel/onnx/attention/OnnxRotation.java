package dev.sublet.runtime.kernel.onnx.attention;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.CheckedKernel;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.shape.GatherLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * The rotary embedding of positions: pairs of elements are rotated by an angle that depends on the
 * position.
 *
 * <p>Source: J. Su et al., "RoFormer", 2021. O(elements).
 *
 * @param cosines the cosines, one row per position
 * @param sines the sines
 * @param interleaves whether pairs are adjacent elements, not elements of both halves
 */
public record OnnxRotation(MicroValue cosines, MicroValue sines, boolean interleaves) {

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.around(
        "com.microsoft.RotaryEmbedding",
        kernel ->
            new CarriedKernel(
                new CheckedKernel(kernel, OnnxRotation::checkPositions),
                Use.NUMBERS,
                OutputTypes.like(0)),
        OnnxRotation::embed);
  }

  private static void checkPositions(OperatorCall call) {
    Tensor positions = call.input("1");
    long rows = call.shape("2", 2).get(0);
    long steps = call.shapeFrom("0", 3).get(call.input("0").rank() - 2);
    OnnxOperands.requireInside(positions, positions.rank() == 2 ? rows : rows - steps + 1);
  }

  /** Inputs: x with heads or without, positions, cosines, sines. */
  private static void embed(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    call.shape("2", 2);
    call.shape("3", 2);
    OnnxRotation rotation =
        new OnnxRotation(lowering.in("2"), lowering.in("3"), call.flag("interleaved", false));
    boolean isFlat = f.rank(x) == 3;
    long heads = call.integer("num_heads", 0);
    if (heads == 0 && isFlat) {
      heads = f.shape(x)[2] / (2 * f.shape(rotation.cosines())[1]);
    }
    MicroValue split = isFlat ? AttentionHeads.split(f, x, heads) : x;
    long[] shape = Shapes.ofRank(4, f.shape(split), "input 0");
    MicroValue positions = f.as(ElementType.INT64, lowering.in("1"));
    long[] places = {shape[0], shape[2]};
    if (f.rank(positions) == 1) {
      MicroValue first = OnnxOperands.single(f, positions);
      positions = f.plus(f.position(places, Indices.loop(1)), first);
    }
    MicroValue rotated = rotation.rotate(f, split, NumpyBroadcast.stretch(f, positions, places));
    lowering.out("0", isFlat ? AttentionHeads.joined(f, rotated) : rotated);
  }

  /**
   * Rotates the first elements of each head.
   *
   * @param x a tensor with the axes image, head, step, element
   * @param positions the positions, with the axes image, step
   */
  MicroValue rotate(Formula f, MicroValue x, MicroValue positions) {
    long[] shape = f.shape(x);
    long half = f.shape(cosines)[1];
    if (2 * half > shape[3]) {
      throw new OperatorException("a rotation of " + 2 * half + " of " + shape[3] + " elements");
    }
    long[] rotated = Shapes.with(shape, 3, 2 * half);
    IndexExpression element = Indices.loop(3);
    IndexExpression pair = interleaves ? Indices.over(element, 2) : Indices.modulo(element, half);
    IndexExpression other =
        interleaves
            ? Indices.plus(Indices.minus(element, Indices.times(Indices.modulo(element, 2), 2)), 1)
            : Indices.modulo(Indices.plus(element, half), 2 * half);
    IndexExpression isSecond =
        interleaves ? Indices.modulo(element, 2) : Indices.over(element, half);
    MicroValue own =
        f.reindex(x, rotated, Indices.loop(0), Indices.loop(1), Indices.loop(2), element);
    MicroValue partner =
        f.reindex(x, rotated, Indices.loop(0), Indices.loop(1), Indices.loop(2), other);
    MicroValue plus = f.apply(BinaryOperator.EQUAL, f.position(rotated, isSecond), 1L);
    MicroValue turned = f.graph().choose(plus, partner, f.times(partner, -1.0));
    MicroValue result =
        f.plus(
            f.times(own, rows(f, cosines, positions, rotated, pair)),
            f.times(turned, rows(f, sines, positions, rotated, pair)));
    if (2 * half == shape[3]) {
      return result;
    }
    MicroValue kept =
        f.reindex(result, shape, Indices.loop(0), Indices.loop(1), Indices.loop(2), element);
    MicroValue isRotated = f.apply(BinaryOperator.LESS, f.position(shape, element), 2 * half);
    return f.graph().choose(isRotated, kept, x);
  }

  private static MicroValue rows(
      Formula f, MicroValue table, MicroValue positions, long[] shape, IndexExpression pair) {
    MicroValue list = f.reshape(positions, shape[0] * shape[2]);
    MicroValue rows = GatherLowerings.selected(f, table, list, 0);
    IndexExpression row = Indices.plus(Indices.times(Indices.loop(0), shape[2]), Indices.loop(2));
    return f.reindex(rows, shape, row, pair);
  }
}
