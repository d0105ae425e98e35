package dev.sublet.runtime.kernel.onnx.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.plus;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxTypes;
import dev.sublet.runtime.kernel.shape.CreationLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Operators that create tensors from a few numbers. */
public final class OnnxCreations {

  private OnnxCreations() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("ConstantOfShape", OnnxCreations::constantOfShape);
    family.lowered("EyeLike", Use.MOVES, OutputTypes.named("dtype", 0), OnnxCreations::eyeLike);
    family.kernel("Range", Use.NUMBERS, OutputTypes.like(0), OnnxCreations::range);
    family.kernel("com.microsoft.Range", Use.NUMBERS, OutputTypes.like(0), OnnxCreations::range);
  }

  private static OperatorResult constantOfShape(OperatorCall call) {
    long[] shape = IntegerArguments.elements(call.input("0"));
    Shapes.length(shape);
    ElementType type = OnnxTypes.of(call, "value.type", ElementType.FLOAT32);
    Tensor filled = Tensor.zeros(type, ImmutableLongArray.copyOf(shape));
    if (!call.integers("value.bits").isEmpty()) {
      Arrays.fill(filled.shorts(), call.integers("value.bits").get(0).shortValue());
    } else if (type.isFloating() && !call.reals("value").isEmpty()) {
      double value = call.reals("value").get(0);
      for (int i = 0; i < filled.length(); i++) {
        ElementWriter.put(filled, i, value);
      }
    } else if (!call.integers("value").isEmpty()) {
      long value = call.integers("value").get(0);
      for (int i = 0; i < filled.length(); i++) {
        ElementWriter.put(filled, i, value);
      }
    }
    return OperatorResult.of("0", filled);
  }

  private static void eyeLike(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long[] shape = call.shape("0", 2).toArray();
    MicroValue row = f.position(shape, plus(loop(0), call.integer("k", 0)));
    MicroValue isDiagonal = f.apply(BinaryOperator.EQUAL, row, f.position(shape, loop(1)));
    ElementType type = OnnxTypes.of(call, "dtype", call.input("0").type());
    lowering.out("0", f.as(type.carrier(), isDiagonal));
  }

  private static OperatorResult range(OperatorCall call) {
    Tensor start = call.scalarInput("0");
    Tensor one = Tensor.zeros(start.type(), ImmutableLongArray.of());
    if (start.type().isFloating()) {
      ElementWriter.put(one, 0, 1.0);
    } else {
      ElementWriter.put(one, 0, 1L);
    }
    Tensor step = call.has("2") ? call.scalarInput("2") : one;
    return OperatorResult.of("0", CreationLowerings.range(start, call.scalarInput("1"), step));
  }
}
