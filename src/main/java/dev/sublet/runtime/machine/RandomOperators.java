package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * Operators that generate pseudo-random numbers. The numbers depend only on the operator's seed and
 * on the number of random operators that ran before it in the same run, so that every form of a
 * program gets the same numbers. They differ from those of Paddle, which uses other generators.
 */
final class RandomOperators {

  private RandomOperators() {}

  /** {@code uniform_random}: numbers between {@code min} and {@code max}. */
  static void uniform(Step step, Machine machine) {
    double min = real(step, "min", -1);
    double max = real(step, "max", 1);
    SplittableRandom random = random(step, machine);
    fill(step, ElementType.FLOAT32, () -> min + (max - min) * random.nextDouble());
  }

  /** {@code gaussian_random}: normally distributed numbers. */
  static void gaussian(Step step, Machine machine) {
    double mean = real(step, "mean", 0);
    double deviation = real(step, "std", 1);
    SplittableRandom random = random(step, machine);
    fill(step, ElementType.FLOAT32, () -> mean + deviation * normal(random));
  }

  /** {@code randint}: integers from {@code low} to {@code high}, excluding {@code high}. */
  static void integers(Step step, Machine machine) {
    long low = (long) real(step, "low", 0);
    long high = (long) real(step, "high", 1);
    if (high <= low) {
      throw new OperatorException("there is no number from " + low + " on and below " + high);
    }
    SplittableRandom random = random(step, machine);
    fill(step, ElementType.INT64, () -> random.nextLong(low, high));
  }

  /**
   * Returns a standard normal number by the Box-Muller transform. The transform's second number is
   * not used.
   */
  private static double normal(SplittableRandom random) {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
  }

  private static SplittableRandom random(Step step, Machine machine) {
    long seed = (long) real(step, "seed", 0);
    return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + machine.nextDraw());
  }

  private static double real(Step step, String name, double absent) {
    return step.operation().attribute(name).map(a -> a.asDouble(absent)).orElse(absent);
  }

  private static void fill(Step step, ElementType absent, DoubleSupplier numbers) {
    long number = step.operation().attribute("dtype").map(a -> a.asLong(-1)).orElse(-1L);
    ElementType type = ElementTypes.ofNumber(number, absent);
    Tensor tensor = Tensor.zeros(type, shape(step));
    int length = tensor.length();
    for (int i = 0; i < length; i++) {
      double value = numbers.getAsDouble();
      switch (type) {
        case FLOAT32 -> tensor.floats()[i] = (float) value;
        case FLOAT64 -> tensor.doubles()[i] = value;
        case INT32 -> tensor.ints()[i] = (int) value;
        case INT64 -> tensor.longs()[i] = (long) value;
        case BOOL -> tensor.booleans()[i] = (byte) (value > 0.5 ? 1 : 0);
        case UINT8, INT8 -> tensor.bytes()[i] = (byte) (int) value;
        default -> throw new OperatorException("random numbers of " + type);
      }
    }
    step.write("Out", LodTensor.of(tensor));
  }

  /**
   * Returns the extents of the output: from one tensor of all extents, from one tensor per extent,
   * or from the attribute {@code shape}.
   */
  private static ImmutableLongArray shape(Step step) {
    Argument tensor = step.inputOrNull("ShapeTensor");
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    if (tensor != null) {
      Tensor extents = step.read(tensor).tensor();
      for (int i = 0; i < extents.length(); i++) {
        shape.add(extents.getLong(i));
      }
      return shape.build();
    }
    ImmutableList<Argument> tensors = step.inputs("ShapeTensorList");
    if (!tensors.isEmpty()) {
      tensors.forEach(extent -> shape.add(step.read(extent).tensor().getLong(0)));
      return shape.build();
    }
    step.operation()
        .attribute("shape")
        .map(Attribute::longs)
        .orElse(ImmutableList.of())
        .forEach(extent -> shape.add(extent));
    ImmutableLongArray extents = shape.build();
    for (int i = 0; i < extents.length(); i++) {
      if (extents.get(i) < 0) {
        throw new OperatorException("attribute shape is " + extents);
      }
    }
    return extents;
  }
}
