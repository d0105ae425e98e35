package dev.sublet.cli.argument;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Shapes of feeds under a name: a value of {@code --shape-profile}.
 *
 * <pre>
 *   max:image=1,3,640,640;mask=1,640
 * </pre>
 *
 * @param name the name of the profile: letters, digits, {@code _} and {@code -}
 * @param shapes the shapes, at least one
 */
public record ShapeProfile(String name, ImmutableList<FeedShape> shapes) {

  /** The maximum number of characters of a wrong value that a message repeats. */
  private static final int MAX_QUOTED = 200;

  /** Reads {@code NAME:SHAPE;SHAPE…}; the name ends at the first colon. */
  public static final class Converter implements ITypeConverter<ShapeProfile> {

    @Override
    public ShapeProfile convert(String value) {
      int colon = value.indexOf(':');
      if (colon < 1 || !value.substring(0, colon).matches("[A-Za-z0-9_-]+")) {
        throw new TypeConversionException(
            "'"
                + Ascii.truncate(value, MAX_QUOTED, "…")
                + "' is not of the form NAME:SHAPE;SHAPE…, such as max:image=1,3,640,640");
      }
      FeedShape.Converter converter = new FeedShape.Converter();
      ImmutableList.Builder<FeedShape> shapes = ImmutableList.builder();
      for (String shape : Splitter.on(';').split(value.substring(colon + 1))) {
        shapes.add(converter.convert(shape));
      }
      return new ShapeProfile(value.substring(0, colon), shapes.build());
    }
  }
}
