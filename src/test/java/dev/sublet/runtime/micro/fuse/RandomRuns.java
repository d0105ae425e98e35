package dev.sublet.runtime.micro.fuse;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.Random;

/** Runs of programs whose inputs have names like {@code x1_02_float32}: number, labels, type. */
final class RandomRuns {

  private RandomRuns() {}

  /** Random elements for the inputs; extents are those of their labels. */
  static ImmutableMap<String, Tensor> inputs(MicroProgram program, Random random, long... extents) {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.INPUT) {
        String labels = tensor.name().substring(3, 3 + tensor.rank());
        checkArgument(tensor.name().charAt(2) == '_', tensor.name());
        ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
        for (int axis = 0; axis < labels.length(); axis++) {
          shape.add(extents[labels.charAt(axis) - '0']);
        }
        inputs.put(tensor.name(), tensor(tensor.type(), shape.build(), random));
      }
    }
    return inputs.buildOrThrow();
  }

  /** Small numbers, some of them special; integers are often indices. */
  static Tensor tensor(ElementType type, ImmutableLongArray shape, Random random) {
    Tensor tensor = Tensor.zeros(type, shape);
    for (int i = 0; i < tensor.length(); i++) {
      double value = random.nextInt(6) == 0 ? random.nextInt(3) - 1 : random.nextGaussian();
      switch (type) {
        case FLOAT32 -> tensor.floats()[i] = random.nextInt(40) == 0 ? -0.0f : (float) value;
        case FLOAT64 -> tensor.doubles()[i] = value;
        case INT32 -> tensor.ints()[i] = random.nextInt(6) - 1;
        case INT64 -> tensor.longs()[i] = random.nextInt(6) - 1L;
        case BOOL -> tensor.booleans()[i] = (byte) random.nextInt(2);
        case UINT8, INT8 -> tensor.bytes()[i] = (byte) random.nextInt();
        default -> throw new AssertionError(type);
      }
    }
    return tensor;
  }

  /** The outputs of a run as text: equal texts are equal bits, but all NaN are one. */
  static String outputs(
      MicroProgram program, ImmutableMap<String, Tensor> inputs, long p, double s) {
    StringBuilder text = new StringBuilder();
    run(program, inputs, p, s)
        .forEach((name, tensor) -> text.append(name).append(' ').append(bits(tensor)).append('\n'));
    return text.toString();
  }

  /** The outputs of a run where parameter {@code $p} is p and all others are s. */
  static ImmutableMap<String, Tensor> run(
      MicroProgram program, ImmutableMap<String, Tensor> inputs, long p, double s) {
    ImmutableMap.Builder<String, Number> parameters = ImmutableMap.builder();
    program
        .parameters()
        .forEach(
            parameter -> parameters.put(parameter.name(), parameter.name().equals("p") ? p : s));
    return MicroInterpreter.run(program, inputs, parameters.buildOrThrow());
  }

  private static String bits(Tensor tensor) {
    String elements =
        switch (tensor.type()) {
          case FLOAT32 -> Arrays.toString(tensor.floats());
          case FLOAT64 -> Arrays.toString(tensor.doubles());
          case INT32 -> Arrays.toString(tensor.ints());
          case INT64 -> Arrays.toString(tensor.longs());
          case BOOL, UINT8, INT8 -> Arrays.toString(tensor.bytes());
          default -> throw new AssertionError(tensor.type());
        };
    return tensor.type() + " " + tensor.shape() + " " + elements;
  }
}
