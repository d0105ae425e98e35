package dev.sublet.operator.paddle.fused;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for quantization: the result has the shape of the input; the scales differ. */
final class QuantizationShapes {

  private QuantizationShapes() {}

  /** Gives {@code Out} the shape of {@code X}, and each moving statistic a single number. */
  static void perTensor(ShapeCall call) {
    call.out("Out", call.in("X").withElements(null));
    for (String name : new String[] {"OutScale", "OutState", "OutAccum"}) {
      call.out(name, AbstractShape.of(1));
    }
  }

  /**
   * Gives the outputs the shapes of {@link #perTensor}, and {@code OutScales} one scale per step of
   * a window.
   */
  static void overWindow(ShapeCall call) {
    perTensor(call);
    call.out("OutScales", AbstractShape.of(call.integer("window_size", 10000)));
  }

  /**
   * Gives {@code Out} the shape of {@code X}, and {@code OutScale} one number per index of {@code
   * quant_axis}.
   */
  static void perChannel(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", x.withElements(null));
    call.out("OutScale", AbstractShape.of(x.dim(call.integer("quant_axis", 0))));
  }

  /**
   * Gives {@code Y} the shape of {@code X}, and {@code OutScale} one number per index of {@code
   * quant_axis}, or a single number if the axis is -1.
   */
  static void linear(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = call.integer("quant_axis", 0);
    call.out("Y", x.withElements(null));
    call.out("OutState", AbstractShape.of(1));
    call.out("OutAccum", AbstractShape.of(1));
    call.out("OutScale", AbstractShape.of(axis < 0 ? SymbolicExtent.of(1) : x.dim(axis)));
  }
}
