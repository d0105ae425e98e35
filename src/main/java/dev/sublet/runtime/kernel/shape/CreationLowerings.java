package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;

import com.google.common.primitives.Doubles;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Operators that create tensors from attributes, or in the shape of other tensors. */
public final class CreationLowerings {

  private CreationLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("assign_value", CreationLowerings::assignValue);
    kernels.lowered("eye", CreationLowerings::eye);
    kernels.lowered("fill_any_like", CreationLowerings::fillAnyLike);
    kernels.lowered("fill_constant", CreationLowerings::fillConstant);
    kernels.lowered("fill_constant_batch_size_like", CreationLowerings::fillBatchSizeLike);
    kernels.lowered("fill_zeros_like", CreationLowerings::fillZerosLike);
    kernels.lowered("fill_zeros_like2", CreationLowerings::fillZerosLike);
    kernels.kernel("linspace", CreationLowerings::linspace);
    kernels.kernel("range", CreationLowerings::range);
    kernels.lowered("tril_triu", lowering -> triangle(lowering, "X", "Out"));
    kernels.lowered("tril_triu_grad", lowering -> triangle(lowering, "Out@GRAD", "X@GRAD"));
  }

  private static void fillConstant(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    long[] shape =
        call.has("ShapeTensor")
            ? IntegerArguments.elements(call.input("ShapeTensor"))
            : IntegerArguments.of(call, "shape", "", "ShapeTensorList");
    lowering.out("Out", filled(lowering, shape));
  }

  private static MicroValue filled(LoweringCall lowering, long[] shape) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), ElementType.FLOAT32);
    if (call.has("ValueTensor")) {
      return f.graph().cast(type, f.repeat(lowering.in("ValueTensor"), shape));
    }
    String text = call.text("str_value", "");
    // Integers are read as floating-point numbers, too.
    double value = text.isEmpty() ? call.real("value", 0) : real(text);
    return f.constant(type, type == ElementType.BOOL && value != 0 ? 1 : value, shape);
  }

  private static double real(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> {
        Double number = Doubles.tryParse(text);
        if (number == null) {
          throw new OperatorException("'" + text + "' is not a number");
        }
        yield number;
      }
    };
  }

  private static void fillBatchSizeLike(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    long[] shape = IntegerArguments.attribute(call, "shape").clone();
    LodTensor input = call.lodInput("Input");
    int from = Shapes.axis(call.integer("input_dim_idx", 0), input.tensor().rank());
    int to = Shapes.axis(call.integer("output_dim_idx", 0), shape.length);
    boolean sequences = !input.lod().isEmpty() && from == 0;
    // The batch size of an input with sequences is the number of sequences, not of rows.
    shape[to] =
        sequences
            ? input.lod().get(input.lod().size() - 1).length() - 1
            : input.tensor().size(from);
    lowering.out("Out", filled(lowering, shape));
  }

  private static void fillAnyLike(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), call.input("X").type());
    lowering.out("Out", like(lowering, type, call.real("value", 0)));
  }

  private static void fillZerosLike(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), call.input("X").type());
    lowering.out("Out", like(lowering, type, 0));
  }

  private static MicroValue like(LoweringCall lowering, ElementType type, double value) {
    return new Formula(lowering.graph())
        .constant(type, value, lowering.call().shape("X").toArray());
  }

  private static void eye(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long rows = call.integer("num_rows", 0);
    long columns = call.integer("num_columns", -1);
    long[] shape = {rows, columns < 0 ? rows : columns};
    MicroValue diagonal =
        f.apply(BinaryOperator.EQUAL, f.position(shape, loop(0)), f.position(shape, loop(1)));
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), ElementType.FLOAT32);
    lowering.out("Out", f.graph().cast(type, diagonal));
  }

  /**
   * Lowers an operator that keeps the elements on one side of a diagonal of the last two axes. The
   * other elements become zero.
   */
  private static void triangle(LoweringCall lowering, String from, String to) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in(from);
    long[] shape = f.shape(x);
    MicroValue distance =
        f.position(shape, Indices.minus(loop(shape.length - 1), loop(shape.length - 2)));
    BinaryOperator side =
        call.flag("lower", false) ? BinaryOperator.LESS_EQUAL : BinaryOperator.GREATER_EQUAL;
    MicroValue kept = f.apply(side, distance, call.integer("diagonal", 0));
    lowering.out(to, f.graph().choose(kept, x, f.number(x, 0)));
  }

  private static OperatorResult assignValue(OperatorCall call) {
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), ElementType.FLOAT32);
    ImmutableLongArray shape = ImmutableLongArray.copyOf(call.integers("shape"));
    return OperatorResult.of("Out", AttributeValues.of(call, type, shape));
  }

  private static OperatorResult range(OperatorCall call) {
    return OperatorResult.of(
        "Out", range(call.scalarInput("Start"), call.scalarInput("End"), call.scalarInput("Step")));
  }

  /**
   * Returns the numbers from one number to another, exclusive. Each number is the previous number
   * plus the step. O(numbers).
   */
  public static Tensor range(Tensor start, Tensor end, Tensor step) {
    if (start.type().isFloating()) {
      double distance = end.getDouble(0) - start.getDouble(0);
      int count = Shapes.length((long) Math.max(0, Math.ceil(distance / step.getDouble(0))));
      Tensor range = Tensor.zeros(start.type(), ImmutableLongArray.of(count));
      double next = start.getDouble(0);
      for (int i = 0; i < count; i++) {
        ElementWriter.put(range, i, next);
        next = range.getDouble(i) + step.getDouble(0);
      }
      return range;
    }
    long stride = step.getLong(0);
    if (stride == 0) {
      throw new OperatorException("a step of 0");
    }
    long distance = end.getLong(0) - start.getLong(0);
    int count = Shapes.length(Math.max(0, -Math.floorDiv(-distance, stride)));
    Tensor range = Tensor.zeros(start.type(), ImmutableLongArray.of(count));
    for (int i = 0; i < count; i++) {
      ElementWriter.put(range, i, start.getLong(0) + i * stride);
    }
    return range;
  }

  /**
   * Computes evenly spaced numbers including both ends. Each number is computed from the nearer
   * end.
   */
  private static OperatorResult linspace(OperatorCall call) {
    int count = Shapes.length(call.scalarInput("Num").getLong(0));
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), call.input("Start").type());
    // Paddle rounds both to the result's type first.
    double start = rounded(call.scalarInput("Start"), type);
    double stop = rounded(call.scalarInput("Stop"), type);
    Tensor numbers = Tensor.zeros(type, ImmutableLongArray.of(count));
    double step = count > 1 ? (stop - start) / (count - 1) : 0;
    for (int i = 0; i < count; i++) {
      double value = i < count / 2 || count == 1 ? start + step * i : stop - step * (count - 1 - i);
      if (type.isFloating()) {
        ElementWriter.put(numbers, i, value);
      } else {
        ElementWriter.put(numbers, i, (long) value);
      }
    }
    return OperatorResult.of("Out", numbers);
  }

  private static double rounded(Tensor scalar, ElementType type) {
    return switch (type) {
      case FLOAT64 -> scalar.getDouble(0);
      case FLOAT32 -> (float) scalar.getDouble(0);
      default -> scalar.type().isFloating() ? (long) scalar.getDouble(0) : scalar.getLong(0);
    };
  }
}
