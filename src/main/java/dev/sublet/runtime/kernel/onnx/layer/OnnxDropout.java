package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Dropout. Nothing is dropped in inference. In training, the pseudo-random choice depends on the
 * attribute {@code seed} only; ONNX Runtime drops other elements.
 */
public final class OnnxDropout {

  private OnnxDropout() {}

  /** Registers the kernel. */
  public static void register(OnnxFamily family) {
    family.kernel("Dropout", Use.NUMBERS, OutputTypes.like(0, "0"), OnnxDropout::dropout);
  }

  private static OperatorResult dropout(OperatorCall call) {
    Tensor x = call.input("0");
    double ratio = call.has("1") ? call.scalarInput("1").getDouble(0) : call.real("ratio", 0.5);
    boolean trains = call.has("2") && call.scalarInput("2").getLong(0) != 0;
    if (ratio < 0 || ratio >= 1) {
      throw new OperatorException("a ratio of " + ratio);
    }
    byte[] kept = new byte[x.length()];
    // Before opset 12, the mask of ONNX Runtime is false in inference.
    Arrays.fill(kept, (byte) (call.integer("sublet.opset", 13) < 12 ? 0 : 1));
    Tensor y = x;
    if (trains && ratio > 0) {
      SplittableRandom random = new SplittableRandom(call.integer("seed", 0));
      y = Tensor.zeros(x.type(), x.shape());
      for (int i = 0; i < kept.length; i++) {
        kept[i] = (byte) (random.nextDouble() < ratio ? 0 : 1);
        ElementWriter.put(y, i, kept[i] == 0 ? 0 : x.getDouble(i) / (1 - ratio));
      }
    }
    OperatorResult.Builder result = OperatorResult.builder().put("0", y);
    if (call.wants("1")) {
      result.put("1", Tensor.ofBooleans(x.shape(), kept));
    }
    return result.build();
  }
}
