package dev.sublet.cli.argument;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A feed and the source of its value: a value of {@code --feed}.
 *
 * @param name the feed's name
 * @param source a file name, or a source that begins with {@link #RANDOM} or {@link #VALUES}
 */
public record FeedValue(String name, String source) {

  /** The prefix of a source of pseudo-random numbers; a seed follows. */
  public static final String RANDOM = "random:";

  /** The prefix of a source of given numbers; the numbers follow, separated by commas. */
  public static final String VALUES = "values:";

  /** Reads {@code NAME=SOURCE}; the name ends at the first {@code =}. */
  public static final class Converter implements ITypeConverter<FeedValue> {

    @Override
    public FeedValue convert(String value) {
      int equals = value.indexOf('=');
      if (equals < 1 || equals == value.length() - 1) {
        throw new TypeConversionException(
            "'"
                + value
                + "' is not of the form NAME=FILE.npy, NAME=random:SEED or NAME=values:V,V,…");
      }
      return new FeedValue(value.substring(0, equals), value.substring(equals + 1));
    }
  }
}
