package dev.sublet.cli.argument;

import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A feed and its elements: a value of {@code --value}.
 *
 * @param name the feed's name
 * @param elements the elements in row-major order
 */
public record FeedElements(String name, ImmutableLongArray elements) {

  /** Reads {@code NAME=V,V,…}; the name ends at the last {@code =}. */
  public static final class Converter implements ITypeConverter<FeedElements> {

    @Override
    public FeedElements convert(String value) {
      int equals = value.lastIndexOf('=');
      if (equals < 1) {
        throw new TypeConversionException("'" + value + "' is not of the form NAME=V,V,…");
      }
      ImmutableLongArray.Builder elements = ImmutableLongArray.builder();
      for (String part : Splitter.on(',').split(value.substring(equals + 1))) {
        elements.add(element(part, value));
      }
      return new FeedElements(value.substring(0, equals), elements.build());
    }

    private static long element(String part, String value) {
      if (part.equals("true") || part.equals("false")) {
        return part.equals("true") ? 1 : 0;
      }
      Long element = Longs.tryParse(part);
      if (element == null) {
        throw new TypeConversionException(
            "'" + part + "' in '" + value + "' is no whole number, true or false");
      }
      return element;
    }
  }
}
