package dev.sublet.runtime.kernel.onnx.element;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;

/**
 * Softmax and its relatives along an axis. Before opset 13 all axes from the given one on are taken
 * together.
 */
public final class OnnxSoftmax {

  /** The attribute that the translation of a model adds to such operators of an old opset. */
  private static final String OPSET = "sublet.opset";

  private OnnxSoftmax() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("Softmax", lowering -> lower(lowering, OnnxSoftmax::softmax));
    family.numbers("LogSoftmax", lowering -> lower(lowering, OnnxSoftmax::logSoftmax));
    family.numbers("Hardmax", lowering -> lower(lowering, OnnxSoftmax::hardmax));
  }

  /** A function of the elements along an axis. */
  private interface Function {
    MicroValue of(Formula f, MicroValue x, int axis);
  }

  private static void lower(LoweringCall lowering, Function function) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] shape = f.shape(x);
    if (lowering.call().integer(OPSET, 13) >= 13) {
      int axis = Shapes.axis(lowering.call().integer("axis", -1), shape.length);
      lowering.out("0", function.of(f, x, axis));
      return;
    }
    int axis = Shapes.axis(lowering.call().integer("axis", 1), shape.length);
    long rows = Shapes.count(shape, 0, axis);
    MicroValue matrix = f.reshape(x, rows, Shapes.count(shape, axis, shape.length));
    lowering.out("0", f.reshape(function.of(f, matrix, 1), shape));
  }

  private static MicroValue belowLargest(Formula f, MicroValue x, int axis) {
    MicroValue largest = f.reduce(Reduction.MAXIMUM, x, axis);
    return f.minus(x, f.stretch(largest, f.shape(x)));
  }

  /** Returns the exponentials divided by their sum along an axis. */
  public static MicroValue softmax(Formula f, MicroValue x, int axis) {
    MicroValue exponentials = f.apply(UnaryOperator.EXP, belowLargest(f, x, axis));
    MicroValue sum = f.reduce(Reduction.SUM, exponentials, axis);
    return f.over(exponentials, f.stretch(sum, f.shape(x)));
  }

  private static MicroValue logSoftmax(Formula f, MicroValue x, int axis) {
    MicroValue below = belowLargest(f, x, axis);
    MicroValue sum = f.reduce(Reduction.SUM, f.apply(UnaryOperator.EXP, below), axis);
    return f.minus(below, f.stretch(f.apply(UnaryOperator.LOG, sum), f.shape(x)));
  }

  /** Returns 1 at the first largest element along an axis, and 0 elsewhere. */
  private static MicroValue hardmax(Formula f, MicroValue x, int axis) {
    long[] shape = f.shape(x);
    MicroValue first = f.stretch(f.reduce(Reduction.ARGMAX, x, axis), shape);
    MicroValue isFirst =
        f.apply(BinaryOperator.EQUAL, f.position(shape, Indices.loop(axis)), first);
    return f.as(f.type(x), isFirst);
  }
}
