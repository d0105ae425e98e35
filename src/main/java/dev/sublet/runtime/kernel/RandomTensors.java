package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TooLargeException;
import java.util.SplittableRandom;

/**
 * Pseudo-random feeds and parameters for programs without given values.
 *
 * <p>A tensor depends only on the variable's name, shape and use, and for feeds on a seed. A
 * rewritten program keeps the names of its feeds and parameters, so it gets the same tensors.
 */
public final class RandomTensors {

  private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

  private RandomTensors() {}

  /**
   * Returns a feed. Floating-point numbers are multiples of 1/256 from 0 to less than 1, like the
   * pixels of normalized images. Integers are 0 or 1, so that they are valid indices almost
   * everywhere.
   *
   * @throws ProgramException if tensors cannot have the data type or the number of elements
   */
  public static Tensor feed(String name, long seed, DataType type, ImmutableLongArray shape) {
    SplittableRandom random = new SplittableRandom(name.hashCode() + seed * SEED_STEP);
    Tensor tensor = zeros(name, type, shape);
    int length = tensor.length();
    for (int i = 0; i < length; i++) {
      set(tensor, i, tensor.type().isFloating() ? random.nextInt(256) / 256.0 : random.nextInt(2));
    }
    return tensor;
  }

  /**
   * Returns a tensor of given numbers, converted as by Java's casts; a boolean is true if the
   * number is not 0.
   */
  public static Tensor ofValues(ElementType type, ImmutableLongArray shape, double... values) {
    Tensor tensor = Tensor.zeros(type, shape);
    for (int i = 0; i < values.length; i++) {
      set(tensor, i, type == ElementType.BOOL && values[i] != 0 ? 1 : values[i]);
    }
    return tensor;
  }

  /**
   * Returns the parameters of a program: the persistable tensors of its entry block. Variances and
   * scales of normalizations are around one. Other numbers are around zero; their size decreases
   * with the number of products in a sum. Integers and booleans are 0 or 1.
   *
   * @throws ProgramException if tensors cannot have the data type or the number of elements of a
   *     parameter, or an extent is unknown
   */
  public static ImmutableMap<String, Tensor> parameters(Program program) {
    ImmutableSet<String> positive =
        ImmutableSet.<String>builder()
            .addAll(argumentsOf(program, "Variance"))
            .addAll(argumentsOf(program, "Scale"))
            .build();
    ImmutableMap.Builder<String, Tensor> parameters = ImmutableMap.builder();
    for (Variable variable : program.block(0).variables()) {
      if (variable.isPersistable() && variable.tensorType().isPresent()) {
        TensorType type = variable.tensorType().get();
        String name = variable.name();
        parameters.put(name, parameter(name, type, positive.contains(name)));
      }
    }
    return parameters.buildOrThrow();
  }

  private static ImmutableSet<String> argumentsOf(Program program, String slotName) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (Operation operation : program.block(0).operations()) {
      for (Slot slot : operation.inputSlots()) {
        for (int i = 0; slot.name().equals(slotName) && i < slot.size(); i++) {
          names.add(slot.argument(i));
        }
      }
    }
    return names.build();
  }

  private static Tensor parameter(String name, TensorType type, boolean isPositive) {
    if (type.dims().contains(-1)) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          Location.nowhere().at(Names.display(name)),
          "a parameter of shape " + type.dims() + " cannot be made up; give --params");
    }
    Tensor tensor = zeros(name, type.dataType(), type.dims());
    SplittableRandom random = new SplittableRandom(name.hashCode());
    double center = isPositive ? 1 : 0;
    double width = isPositive ? 0.5 : Math.sqrt(3.0 / fanIn(type.dims()));
    int length = tensor.length();
    for (int i = 0; i < length; i++) {
      double value = center + width * (2 * random.nextDouble() - 1);
      set(tensor, i, tensor.type().isFloating() ? value : value > 0 ? 1 : 0);
    }
    return tensor;
  }

  /**
   * Returns the number of products in one element of a convolution's or a matrix product's result.
   */
  private static long fanIn(ImmutableLongArray dims) {
    return switch (dims.length()) {
      case 0, 1 -> 100;
      case 2 -> Math.max(1, dims.get(0));
      default -> Math.max(1, Tensor.count(dims) / Math.max(1, dims.get(0)));
    };
  }

  private static Tensor zeros(String name, DataType type, ImmutableLongArray shape) {
    try {
      return Tensor.zeros(elementType(name, type), shape);
    } catch (TooLargeException e) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          Location.nowhere().at(Names.display(name)),
          String.valueOf(e.getMessage()));
    }
  }

  private static ElementType elementType(String name, DataType type) {
    return ElementTypes.find(type)
        .orElseThrow(
            () ->
                ProgramException.of(
                    Diagnostic.Kind.UNSUPPORTED,
                    Location.nowhere().at(Names.display(name)),
                    "tensors of " + type + " cannot be computed with"));
  }

  private static void set(Tensor tensor, int index, double value) {
    switch (tensor.type()) {
      case FLOAT32 -> tensor.floats()[index] = (float) value;
      case FLOAT64 -> tensor.doubles()[index] = value;
      case INT32 -> tensor.ints()[index] = (int) value;
      case INT64 -> tensor.longs()[index] = (long) value;
      case BOOL, UINT8, INT8 -> tensor.bytes()[index] = (byte) (int) value;
      case FLOAT16, BFLOAT16 -> ElementWriter.put(tensor, index, value);
      case INT16, UINT16, UINT32, UINT64 -> ElementWriter.put(tensor, index, (long) value);
    }
  }
}
