package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.kernel.Sums;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * A few operators in plain loops, so that tests of the executor count on nothing else. Binary ones
 * repeat a single number; there is no other broadcasting.
 */
public final class SmallKernels {

  public static final KernelRegistry KERNELS =
      KernelRegistry.of(ImmutableList.of(SmallKernels::register));

  private SmallKernels() {}

  private static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("fill_constant", SmallKernels::fillConstant);
    unary(kernels, "relu", x -> Math.max(x, 0));
    unary(kernels, "square", x -> x * x);
    unary(kernels, "logical_not", x -> 1 - x);
    unary(kernels, "sign", Math::signum);
    kernels.kernel("cast", call -> map(call.input("X"), ElementType.INT32, x -> x));
    kernels.kernel(
        "increment",
        call -> map(call.input("X"), call.input("X").type(), x -> x + call.real("step", 1)));
    kernels.kernel(
        "scale",
        call ->
            map(
                call.input("X"),
                call.input("X").type(),
                x -> x * call.real("scale", 1) + call.real("bias", 0)));
    binary(kernels, "elementwise_add", (x, y) -> x + y);
    binary(kernels, "elementwise_mul", (x, y) -> x * y);
    kernels.kernel(
        "less_than",
        call -> zip(call.input("X"), call.input("Y"), ElementType.BOOL, (x, y) -> x < y ? 1 : 0));
    kernels.kernel("elementwise_mul_grad", SmallKernels::multiplyGradient);
    kernels.kernel("square_grad", SmallKernels::squareGradient);
    kernels.kernel("reshape2", SmallKernels::reshape);
    kernels.kernel("concat", SmallKernels::concat);
    kernels.kernel("split", SmallKernels::split);
    kernels.kernel("sum", SmallKernels::sum);
  }

  private static void unary(
      KernelRegistry.Builder kernels, String type, DoubleUnaryOperator function) {
    kernels.kernel(type, call -> map(call.input("X"), call.input("X").type(), function));
  }

  private static void binary(
      KernelRegistry.Builder kernels, String type, DoubleBinaryOperator function) {
    kernels.kernel(
        type, call -> zip(call.input("X"), call.input("Y"), call.input("X").type(), function));
  }

  private static OperatorResult fillConstant(OperatorCall call) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    call.integers("shape").forEach(extent -> shape.add(extent));
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), ElementType.FLOAT32);
    return map(Tensor.zeros(type, shape.build()), type, x -> call.real("value", 0));
  }

  private static OperatorResult map(Tensor x, ElementType type, DoubleUnaryOperator function) {
    return zip(x, x, type, (a, b) -> function.applyAsDouble(a));
  }

  private static OperatorResult zip(
      Tensor x, Tensor y, ElementType type, DoubleBinaryOperator function) {
    return OperatorResult.of("Out", combine(x, y, type, function));
  }

  private static Tensor combine(
      Tensor x, Tensor y, ElementType type, DoubleBinaryOperator function) {
    if (y.length() != 1 && y.length() != x.length()) {
      throw new OperatorException("shapes " + x.shape() + " and " + y.shape());
    }
    Tensor result = Tensor.zeros(type, x.shape());
    for (int i = 0; i < x.length(); i++) {
      double value = function.applyAsDouble(x.getDouble(i), y.getDouble(y.length() == 1 ? 0 : i));
      switch (type) {
        case FLOAT32 -> result.floats()[i] = (float) value;
        case FLOAT64 -> result.doubles()[i] = value;
        case INT32 -> result.ints()[i] = (int) value;
        case INT64 -> result.longs()[i] = (long) value;
        case BOOL, UINT8, INT8 -> result.bytes()[i] = (byte) (int) value;
        default -> throw new AssertionError(type);
      }
    }
    return result;
  }

  private static OperatorResult multiplyGradient(OperatorCall call) {
    Tensor gradient = call.input("Out@GRAD");
    OperatorResult.Builder result = OperatorResult.builder();
    if (call.wants("X@GRAD")) {
      result.put("X@GRAD", combine(gradient, call.input("Y"), gradient.type(), (g, y) -> g * y));
    }
    if (call.wants("Y@GRAD")) {
      result.put("Y@GRAD", combine(gradient, call.input("X"), gradient.type(), (g, x) -> g * x));
    }
    return result.build();
  }

  private static OperatorResult squareGradient(OperatorCall call) {
    Tensor gradient = call.input("Out@GRAD");
    return OperatorResult.of(
        "X@GRAD", combine(gradient, call.input("X"), gradient.type(), (g, x) -> 2 * g * x));
  }

  private static OperatorResult reshape(OperatorCall call) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    call.integers("shape").forEach(extent -> shape.add(extent));
    return OperatorResult.of("Out", call.input("X").reshaped(shape.build()));
  }

  private static OperatorResult concat(OperatorCall call) {
    List<Tensor> parts = call.arguments("X").stream().map(LodTensor::tensor).toList();
    return OperatorResult.of("Out", Slices.join(parts));
  }

  private static OperatorResult split(OperatorCall call) {
    Tensor x = call.input("X");
    OperatorResult.Builder result = OperatorResult.builder();
    long count = call.integer("num", 1);
    for (long i = 0; i < count; i++) {
      result.put("Out", Slices.rows(x, i * x.size(0) / count, (i + 1) * x.size(0) / count));
    }
    return result.build();
  }

  private static OperatorResult sum(OperatorCall call) {
    Tensor sum = call.input("X");
    for (LodTensor part : call.arguments("X").subList(1, call.arguments("X").size())) {
      sum = Sums.add(sum, part.tensor());
    }
    return OperatorResult.of("Out", sum);
  }
}
