package dev.sublet.operator.paddle.fused;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shapes of quantization: the result is like the input, the scales differ. */
final class QuantizationShapes {

  private QuantizationShapes() {}

  /** {@code Out} is like {@code X}; the moving statistics are single numbers. */
  static void perTensor(ShapeCall call) {
    call.out("Out", call.in("X").withElements(null));
    for (String name : new String[] {"OutScale", "OutState", "OutAccum"}) {
      call.out(name, AbstractShape.of(1));
    }
  }

  /** The same, with the scales of a window of steps. */
  static void overWindow(ShapeCall call) {
    perTensor(call);
    call.out("OutScales", AbstractShape.of(call.integer("window_size", 10000)));
  }

  /** {@code Out} is like {@code X}; {@code OutScale} has a number for each of an axis. */
  static void perChannel(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", x.withElements(null));
    call.out("OutScale", AbstractShape.of(x.dim(call.integer("quant_axis", 0))));
  }

  /** {@code Y} is like {@code X}; {@code OutScale} is for an axis, or one number if it is -1. */
  static void linear(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = call.integer("quant_axis", 0);
    call.out("Y", x.withElements(null));
    call.out("OutState", AbstractShape.of(1));
    call.out("OutAccum", AbstractShape.of(1));
    call.out("OutScale", AbstractShape.of(axis < 0 ? SymbolicExtent.of(1) : x.dim(axis)));
  }
}
