package dev.sublet.cli.argument;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A feed and its extents: a value of {@code --shape}.
 *
 * @param name the feed's name
 * @param dims the extents, each at least 1
 */
public record FeedShape(String name, ImmutableLongArray dims) {

  /** The maximum number of characters of a wrong value that a message repeats. */
  private static final int MAX_QUOTED = 200;

  /** Reads {@code NAME=D,D,…}; the name ends at the last {@code =}. */
  public static final class Converter implements ITypeConverter<FeedShape> {

    @Override
    public FeedShape convert(String value) {
      int equals = value.lastIndexOf('=');
      if (equals < 1) {
        throw new TypeConversionException(
            "'" + Ascii.truncate(value, MAX_QUOTED, "…") + "' is not of the form NAME=D,D,…");
      }
      ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
      for (String part : Splitter.on(',').split(value.substring(equals + 1))) {
        Long extent = Longs.tryParse(part);
        if (extent == null || extent < 1) {
          throw new TypeConversionException(
              "'"
                  + Ascii.truncate(part, MAX_QUOTED, "…")
                  + "' in '"
                  + Ascii.truncate(value, MAX_QUOTED, "…")
                  + "' is not an extent; extents are whole numbers from 1");
        }
        dims.add(extent);
      }
      return new FeedShape(value.substring(0, equals), dims.build());
    }
  }
}
