package dev.sublet.cli.flag;

import com.google.common.base.Splitter;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import dev.sublet.cli.argument.FeedValue;
import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.argument.MicroExtents;
import dev.sublet.codec.tensor.NpyReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Reads or generates the tensor of an input of a micro program, as {@code --feed} specifies it. */
final class MicroFeed {

  private MicroFeed() {}

  /**
   * Returns the tensor of an input. A tensor from a file may differ from the declared type and
   * shape; the run checks that they agree.
   *
   * @param source a file, {@code random:SEED} or {@code values:V,V,…}
   * @param given the shape that {@code --shape} gives, or null
   * @param extents the shapes of the inputs before; the shape of this input is added
   * @throws ProgramException if there is no such tensor
   */
  static Tensor tensor(
      String source,
      TensorDeclaration input,
      @Nullable ImmutableLongArray given,
      MicroExtents extents) {
    boolean random = source.startsWith(FeedValue.RANDOM);
    if (random || source.startsWith(FeedValue.VALUES)) {
      ImmutableLongArray shape = extents.shape(input, given);
      Tensor zeros = zeros(input.type(), shape);
      return random ? random(source, zeros) : values(source, zeros);
    }
    if (given != null) {
      throw ProgramException.usage(
          "--shape is for inputs that come from no file, not for '" + input.name() + "'");
    }
    Tensor tensor = NpyReader.read(FileArgument.path(source));
    extents.shape(input, tensor.shape());
    return tensor;
  }

  private static Tensor zeros(ElementType type, ImmutableLongArray shape) {
    try {
      return Tensor.zeros(type, shape);
    } catch (IllegalArgumentException e) {
      throw ProgramException.usage(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Fills a tensor with pseudo-random numbers; the same seed and shape always give the same
   * numbers.
   */
  private static Tensor random(String source, Tensor tensor) {
    Long seed = Longs.tryParse(source.substring(FeedValue.RANDOM.length()));
    if (seed == null) {
      throw ProgramException.usage("'" + source + "' has no seed; a seed is a whole number");
    }
    SplittableRandom random = new SplittableRandom(seed);
    int length = tensor.length();
    for (int i = 0; i < length; i++) {
      switch (tensor.type()) {
        case FLOAT32 -> tensor.floats()[i] = (float) (random.nextDouble() * 2 - 1);
        case FLOAT64 -> tensor.doubles()[i] = random.nextDouble() * 2 - 1;
        case INT32 -> tensor.ints()[i] = random.nextInt(10);
        case INT64 -> tensor.longs()[i] = random.nextInt(10);
        case BOOL -> tensor.booleans()[i] = (byte) random.nextInt(2);
        case UINT8, INT8 -> tensor.bytes()[i] = (byte) random.nextInt(10);
        default -> throw new AssertionError(tensor.type());
      }
    }
    return tensor;
  }

  private static Tensor values(String source, Tensor like) {
    List<String> texts = Splitter.on(',').splitToList(source.substring(FeedValue.VALUES.length()));
    if (texts.size() != like.length()) {
      throw ProgramException.usage(
          "'" + source + "' has " + texts.size() + " numbers for the shape " + like.shape());
    }
    double[] values = new double[texts.size()];
    for (int i = 0; i < values.length; i++) {
      Double value = Doubles.tryParse(texts.get(i));
      if (value == null) {
        throw ProgramException.usage("'" + texts.get(i) + "' in '" + source + "' is not a number");
      }
      values[i] = value;
    }
    return RandomTensors.ofValues(like.type(), like.shape(), values);
  }
}
