package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Resize and Upsample: interpolation along one axis after the other.
 *
 * <pre>{@code
 * mode linear, factor 2: 1 3 → 1 1.5 2.5 3
 * }</pre>
 *
 * <p>O(elements · taps) for each resized axis.
 */
public final class OnnxResize {

  private OnnxResize() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("Resize", OnnxResize::resize);
    family.numbers("Upsample", OnnxResize::resize);
  }

  private static void resize(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    ElementType type = f.type(x);
    String mode = call.text("mode", "nearest");
    ResizedAxis[] axes = ResizedAxes.of(call, f.shape(x));
    MicroValue out = mode.equals("nearest") || type.isFloating() ? x : f.as(ElementType.FLOAT32, x);
    for (ResizedAxis axis : axes) {
      if (axis.isSame() && !axis.crops()) {
        continue;
      }
      out =
          switch (mode) {
            case "nearest" -> axis.nearest(f, out);
            case "linear", "bilinear" -> axis.linear(f, out);
            case "cubic" -> axis.cubic(f, out);
            default -> throw new OperatorException("the mode " + mode);
          };
    }
    double outside = call.real("extrapolation_value", 0);
    for (ResizedAxis axis : axes) {
      out = axis.crops() ? axis.extrapolated(f, out, outside) : out;
    }
    lowering.out("0", f.as(type, out));
  }
}
