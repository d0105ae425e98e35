package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An input and where its elements come from, as {@code --feed} gives them.
 *
 * @param name the input's name
 * @param seed of the random numbers that it gets
 */
record TensorFeed(String name, long seed) {

  private static final String RANDOM = "random:";

  TensorFeed {
    requireNonNull(name, "name");
  }

  /** Reads {@code NAME=random:SEED}; the name ends at the last {@code =}. */
  static final class Converter implements ITypeConverter<TensorFeed> {

    @Override
    public TensorFeed convert(String value) {
      int equals = value.lastIndexOf('=');
      String source = value.substring(equals + 1);
      Long seed =
          source.startsWith(RANDOM) ? Longs.tryParse(source.substring(RANDOM.length())) : null;
      if (equals < 1 || seed == null) {
        throw new TypeConversionException("'" + value + "' is not of the form NAME=random:SEED");
      }
      return new TensorFeed(value.substring(0, equals), seed);
    }
  }
}
