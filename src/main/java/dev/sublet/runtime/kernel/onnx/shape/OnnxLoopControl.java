package dev.sublet.runtime.kernel.onnx.shape;

import static dev.sublet.runtime.kernel.Indices.number;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The operators that the translation of a model writes around the body of a {@code Loop} or {@code
 * Scan}: they count iterations and decide whether there is another one.
 */
public final class OnnxLoopControl {

  private OnnxLoopControl() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    control(family, "onnx.Loop.begin", lowering -> loop(lowering, /* isFirst= */ true));
    control(family, "onnx.Loop.next", lowering -> loop(lowering, /* isFirst= */ false));
    control(family, "onnx.Scan.begin", lowering -> scan(lowering, /* isFirst= */ true));
    control(family, "onnx.Scan.next", lowering -> scan(lowering, /* isFirst= */ false));
    family.moves("onnx.Scan.slice", OnnxLoopControl::slice);
  }

  private static void control(OnnxFamily family, String type, Lowering lowering) {
    family.lowered(type, Use.MOVES, OutputTypes.asComputed(), lowering);
  }

  /** Returns the number of the next iteration, counted from 0. */
  private static MicroValue iteration(Formula f, LoweringCall lowering, boolean isFirst) {
    return isFirst ? f.position(new long[0], number(0)) : f.plus(f.repeat(lowering.in("Last")), 1L);
  }

  private static void loop(LoweringCall lowering, boolean isFirst) {
    Formula f = new Formula(lowering.graph());
    MicroValue iteration = iteration(f, lowering, isFirst);
    MicroValue isWanted = f.constant(ElementType.BOOL, 1);
    if (lowering.has("M")) {
      MicroValue most = f.as(ElementType.INT64, f.repeat(lowering.in("M")));
      isWanted = f.apply(BinaryOperator.LESS, iteration, most);
    }
    if (lowering.has("Cond")) {
      MicroValue condition = f.repeat(lowering.in("Cond"));
      isWanted = f.apply(BinaryOperator.AND, isWanted, condition);
    }
    lowering.out("I", iteration);
    lowering.out("Condition", isWanted);
  }

  private static void scan(LoweringCall lowering, boolean isFirst) {
    Formula f = new Formula(lowering.graph());
    long[] shape = lowering.call().shape("X").toArray();
    int axis = Shapes.axis(lowering.call().integer("axis", 0), shape.length);
    MicroValue iteration = iteration(f, lowering, isFirst);
    lowering.out("I", iteration);
    lowering.out("Condition", f.apply(BinaryOperator.LESS, iteration, shape[axis]));
  }

  /** Takes the part of a tensor for one iteration, from the end for direction 1. */
  private static void slice(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue whole = lowering.in("X");
    long[] shape = f.shape(whole);
    int axis = Shapes.axis(lowering.call().integer("axis", 0), shape.length);
    MicroValue iteration = f.repeat(lowering.in("I"));
    MicroValue place =
        lowering.call().integer("direction", 0) == 1
            ? f.plus(f.times(iteration, -1L), shape[axis] - 1)
            : iteration;
    long[] part = shape.clone();
    part[axis] = 1;
    MicroValue selected = f.graph().select(axis, whole, f.repeat(place, part));
    lowering.out("Out", f.reshape(selected, Shapes.without(shape, axis)));
  }
}
