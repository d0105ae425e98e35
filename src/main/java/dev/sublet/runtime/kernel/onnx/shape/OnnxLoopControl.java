package dev.sublet.runtime.kernel.onnx.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.tensor.Tensor;

/**
 * The operators that the translation of a model writes around the body of a {@code Loop} or {@code
 * Scan}: they count iterations and decide whether there is another one.
 */
public final class OnnxLoopControl {

  private OnnxLoopControl() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("onnx.Loop.begin", Use.MOVES, OutputTypes.asComputed(), call -> loop(call, 0));
    family.kernel(
        "onnx.Loop.next", Use.MOVES, OutputTypes.asComputed(), call -> loop(call, next(call)));
    family.kernel("onnx.Scan.begin", Use.MOVES, OutputTypes.asComputed(), call -> scan(call, 0));
    family.kernel(
        "onnx.Scan.next", Use.MOVES, OutputTypes.asComputed(), call -> scan(call, next(call)));
    family.kernel("onnx.Scan.slice", Use.MOVES, OutputTypes.like(0), OnnxLoopControl::slice);
  }

  private static long next(OperatorCall call) {
    return call.input("I").getLong(0) + 1;
  }

  private static OperatorResult loop(OperatorCall call, long iteration) {
    boolean isWithin = !call.has("M") || iteration < call.scalarInput("M").getLong(0);
    boolean isWanted = !call.has("Cond") || call.scalarInput("Cond").getLong(0) != 0;
    return control(iteration, isWithin && isWanted);
  }

  private static OperatorResult scan(OperatorCall call, long iteration) {
    ImmutableLongArray shape = call.shape("X");
    int axis = Shapes.axis(call.integer("axis", 0), shape.length());
    return control(iteration, iteration < shape.get(axis));
  }

  private static OperatorResult control(long iteration, boolean isWanted) {
    ImmutableLongArray scalar = ImmutableLongArray.of();
    return OperatorResult.builder()
        .put("I", Tensor.of(scalar, iteration))
        .put("Condition", Tensor.ofBooleans(scalar, (byte) (isWanted ? 1 : 0)))
        .build();
  }

  /** Takes the part of a tensor for one iteration, from the end for direction 1. */
  private static OperatorResult slice(OperatorCall call) {
    Tensor whole = call.input("X");
    long[] shape = whole.shape().toArray();
    int axis = Shapes.axis(call.integer("axis", 0), shape.length);
    long iteration = call.input("I").getLong(0);
    long place = call.integer("direction", 0) == 1 ? shape[axis] - 1 - iteration : iteration;
    return OperatorResult.of("Out", Slices.at(whole, axis, place));
  }
}
