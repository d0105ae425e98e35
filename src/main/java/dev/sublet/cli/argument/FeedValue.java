package dev.sublet.cli.argument;

import static java.util.Objects.requireNonNull;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A feed and where its value comes from, as {@code --feed} gives them.
 *
 * @param name the feed's name
 * @param source a file's name, or one of the forms that begin with a keyword and a colon
 */
public record FeedValue(String name, String source) {

  /** A feed of pseudo-random numbers: a seed follows. */
  public static final String RANDOM = "random:";

  /** A feed of given numbers: they follow, separated by commas. */
  public static final String VALUES = "values:";

  public FeedValue {
    requireNonNull(name, "name");
    requireNonNull(source, "source");
  }

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
