package dev.sublet.runtime.kernel.onnx.element;

import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxTypes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Optional;

/**
 * Conversions between element types, which lose fractions and wrap integers; a number that is not 0
 * is true.
 */
public final class OnnxCasts {

  private OnnxCasts() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.around(
        "Cast",
        inner -> new CastKernel(inner, OnnxCasts::givenType),
        lowering -> {
          Formula f = new Formula(lowering.graph());
          lowering.out("0", f.as(givenType(lowering.call()), lowering.in("0")));
        });
    family.around(
        "CastLike",
        inner -> new CastKernel(inner, call -> call.input("1").type()),
        lowering -> {
          Formula f = new Formula(lowering.graph());
          lowering.out("0", f.as(lowering.call().input("1").type(), lowering.in("0")));
        });
  }

  private static ElementType givenType(OperatorCall call) {
    return OnnxTypes.ofNumberOrName(call, "to");
  }

  private interface Target {
    ElementType of(OperatorCall call);
  }

  /**
   * A kernel that runs the lowering if micro programs have both element types, and converts element
   * by element otherwise.
   */
  private static final class CastKernel implements Kernel {

    private final Kernel inner;
    private final Target target;

    CastKernel(Kernel inner, Target target) {
      this.inner = inner;
      this.target = target;
    }

    @Override
    public boolean isLowered() {
      return true;
    }

    @Override
    public boolean takes(ElementType type) {
      return true;
    }

    @Override
    public Optional<Translation> translate(OperatorCall call) {
      return isMicro(call) ? inner.translate(call) : Optional.empty();
    }

    private boolean isMicro(OperatorCall call) {
      ElementType from = call.input("0").type();
      ElementType to = target.of(call);
      return from.carrier() == from && to.carrier() == to;
    }

    @Override
    public OperatorResult run(OperatorCall call) {
      return isMicro(call)
          ? inner.run(call)
          : OperatorResult.of("0", cast(call.input("0"), target.of(call)));
    }
  }

  private static Tensor cast(Tensor from, ElementType type) {
    Tensor to = Tensor.zeros(type, from.shape());
    for (int i = 0; i < from.length(); i++) {
      if (type.isFloating()) {
        ElementWriter.put(to, i, from.getDouble(i));
      } else if (type == ElementType.BOOL) {
        ElementWriter.put(to, i, from.getDouble(i) != 0 ? 1L : 0L);
      } else if (type == ElementType.UINT64 && from.type().isFloating()) {
        ElementWriter.put(to, i, unsigned(from.getDouble(i)));
      } else {
        ElementWriter.put(to, i, from.getLong(i));
      }
    }
    return to;
  }

  private static long unsigned(double number) {
    if (Double.isNaN(number) || number <= -1 || number >= 0x1p64) {
      throw new OperatorException(number + " does not fit in uint64");
    }
    return number < 0x1p63 ? (long) number : (long) (number - 0x1p63) + Long.MIN_VALUE;
  }
}
