package dev.sublet.runtime.kernel.onnx.reduction;

import static dev.sublet.runtime.kernel.Indices.loop;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxTypes;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Windows of the elements of a signal, and windows of its spectrum on the mel scale. */
public final class OnnxWindows {

  private static final String TYPE = "output_datatype";

  private OnnxWindows() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    window(family, "BlackmanWindow", 0.42, 0.5, 0.08);
    window(family, "HammingWindow", 25.0 / 46, 21.0 / 46, 0);
    window(family, "HannWindow", 0.5, 0.5, 0);
    family.kernel("MelWeightMatrix", OnnxWindows::melWeights);
  }

  private static void window(OnnxFamily family, String type, double a, double b, double c) {
    family.lowered(
        type, Use.NUMBERS, OutputTypes.named(TYPE), lowering -> window(lowering, a, b, c));
  }

  /** Lowers a window a - b cos(2πi/n) + c cos(4πi/n). */
  private static void window(LoweringCall lowering, double a, double b, double c) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long size = IntegerArguments.first(call.input("0"));
    long period = call.flag("periodic", true) ? size : size - 1;
    MicroValue places = f.as(ElementType.FLOAT64, f.position(new long[] {size}, loop(0)));
    MicroValue angles = f.over(f.times(places, 2 * Math.PI), (double) period);
    MicroValue first = f.times(f.apply(UnaryOperator.COS, angles), -b);
    MicroValue second = f.times(f.apply(UnaryOperator.COS, f.times(angles, 2.0)), c);
    MicroValue window = f.plus(f.plus(first, second), a);
    ElementType type = OnnxTypes.of(call, TYPE, ElementType.FLOAT32);
    lowering.out("0", f.as(type.carrier(), window));
  }

  /**
   * Computes {@code MelWeightMatrix}: for each band of the mel scale a triangle over the bins of a
   * spectrum. Edges of bands are bins. O(bins × bands).
   */
  private static OperatorResult melWeights(OperatorCall call) {
    int bands = (int) call.scalarInput("0").getLong(0);
    long length = call.scalarInput("1").getLong(0);
    if (bands < 0 || length < 0) {
      throw new OperatorException(bands + " bands of a transform of " + length + " elements");
    }
    double rate = call.scalarInput("2").getDouble(0);
    double lowest = mel(call.scalarInput("3").getDouble(0));
    double step = (mel(call.scalarInput("4").getDouble(0)) - lowest) / (bands + 2);
    long[] edges = new long[bands + 2];
    int bins = (int) (length / 2 + 1);
    for (int i = 0; i < edges.length; i++) {
      double hertz = 700 * (Math.pow(10, (lowest + step * i) / 2595) - 1);
      edges[i] = (long) Math.floor((length + 1) * hertz / rate);
      if (edges[i] < 0 || edges[i] >= bins) {
        throw new OperatorException("a band at bin " + edges[i] + " of " + bins);
      }
    }
    ElementType type = OnnxTypes.of(call, TYPE, ElementType.FLOAT32);
    Tensor weights = Tensor.zeros(type, ImmutableLongArray.of(bins, bands));
    for (int band = 0; band < bands; band++) {
      for (int bin = 0; bin < bins; bin++) {
        double weight = triangle(bin, edges[band], edges[band + 1], edges[band + 2]);
        if (type.isFloating()) {
          ElementWriter.put(weights, bin * bands + band, weight);
        } else {
          ElementWriter.put(weights, bin * bands + band, (long) weight);
        }
      }
    }
    return OperatorResult.of("0", weights);
  }

  private static double mel(double hertz) {
    return 2595 * Math.log10(1 + hertz / 700);
  }

  private static double triangle(long bin, long left, long center, long right) {
    if (bin < left || bin > right) {
      return 0;
    }
    if (bin == center) {
      return 1;
    }
    return bin < center
        ? (double) (bin - left) / (center - left)
        : (double) (right - bin) / (right - center);
  }
}
