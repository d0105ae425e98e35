package dev.sublet.runtime.kernel.onnx.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxTypes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * Operators that draw numbers at random. The numbers depend only on the operator's type and its
 * attribute {@code seed}, so that a program always computes the same: two operators of one type
 * without seeds draw the same numbers, and so does an operator each time that it runs. They are not
 * the numbers that ONNX Runtime draws.
 *
 * <pre>{@code
 * RandomUniform shape=[3] low=0 high=1   // 0.3…, 0.8…, 0.1…, in each run
 * }</pre>
 */
public final class OnnxRandoms {

  private OnnxRandoms() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("Bernoulli", OnnxRandoms::bernoulli);
    family.kernel("Multinomial", OnnxRandoms::multinomial);
    family.kernel("RandomNormal", call -> normal(call, attributes(call)));
    family.kernel("RandomNormalLike", call -> normal(call, like(call)));
    family.kernel("RandomUniform", call -> uniform(call, attributes(call)));
    family.kernel("RandomUniformLike", call -> uniform(call, like(call)));
  }

  private static SplittableRandom random(OperatorCall call) {
    return new SplittableRandom(
        31L * call.type().hashCode() + Double.hashCode(call.real("seed", 0)));
  }

  private static Tensor attributes(OperatorCall call) {
    ElementType type = OnnxTypes.of(call, "dtype", ElementType.FLOAT32);
    return Tensor.zeros(type, ImmutableLongArray.copyOf(call.integers("shape")));
  }

  private static Tensor like(OperatorCall call) {
    Tensor x = call.input("0");
    return Tensor.zeros(OnnxTypes.of(call, "dtype", x.type()), x.shape());
  }

  private static OperatorResult uniform(OperatorCall call, Tensor out) {
    SplittableRandom random = random(call);
    double low = call.real("low", 0);
    double width = call.real("high", 1) - low;
    return filled(out, () -> low + width * random.nextDouble());
  }

  /** Computes normal deviates as Box and Muller do. */
  private static OperatorResult normal(OperatorCall call, Tensor out) {
    SplittableRandom random = random(call);
    double mean = call.real("mean", 0);
    double scale = call.real("scale", 1);
    return filled(
        out,
        () -> {
          double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
          double angle = 2 * Math.PI * random.nextDouble();
          return mean + scale * radius * StrictMath.cos(angle);
        });
  }

  private static OperatorResult filled(Tensor out, DoubleSupplier numbers) {
    if (!out.type().isFloating()) {
      throw new OperatorException("random numbers of type " + out.type());
    }
    for (int i = 0; i < out.length(); i++) {
      ElementWriter.put(out, i, numbers.getAsDouble());
    }
    return OperatorResult.of("0", out);
  }

  /** Draws 1 with the probability in each element, else 0. */
  private static OperatorResult bernoulli(OperatorCall call) {
    SplittableRandom random = random(call);
    Tensor probabilities = call.input("0");
    Tensor out = like(call);
    for (int i = 0; i < out.length(); i++) {
      put(out, i, random.nextDouble() < probabilities.getDouble(i) ? 1 : 0);
    }
    return OperatorResult.of("0", out);
  }

  private static void put(Tensor out, int i, long number) {
    if (out.type().isFloating()) {
      ElementWriter.put(out, i, (double) number);
    } else {
      ElementWriter.put(out, i, number);
    }
  }

  /** Draws columns of a matrix whose rows are logarithms of probabilities, up to a constant. */
  private static OperatorResult multinomial(OperatorCall call) {
    SplittableRandom random = random(call);
    Tensor logits = call.input("0");
    int rows = (int) call.shape("0", 2).get(0);
    int classes = (int) logits.size(1);
    if (classes == 0 && rows > 0) {
      throw new OperatorException("a choice among no classes");
    }
    int count = (int) call.integer("sample_size", 1);
    ElementType type = OnnxTypes.of(call, "dtype", ElementType.INT32);
    Tensor out = Tensor.zeros(type, ImmutableLongArray.of(rows, count));
    for (int row = 0; row < rows; row++) {
      double[] sums = cumulative(logits, row * classes, classes);
      for (int i = 0; i < count; i++) {
        double drawn = random.nextDouble() * sums[classes - 1];
        int chosen = 0;
        while (chosen < classes - 1 && sums[chosen] <= drawn) {
          chosen++;
        }
        put(out, row * count + i, chosen);
      }
    }
    return OperatorResult.of("0", out);
  }

  /** Returns running sums of probabilities, up to a constant factor. */
  private static double[] cumulative(Tensor logits, int first, int classes) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < classes; i++) {
      largest = Math.max(largest, logits.getDouble(first + i));
    }
    double[] sums = new double[classes];
    for (int i = 0; i < classes; i++) {
      double probability = StrictMath.exp(logits.getDouble(first + i) - largest);
      sums[i] = (i == 0 ? 0 : sums[i - 1]) + probability;
    }
    return sums;
  }
}
