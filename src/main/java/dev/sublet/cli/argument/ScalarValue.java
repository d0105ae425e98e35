package dev.sublet.cli.argument;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A scalar parameter and its value: a value of {@code --set}.
 *
 * @param name the name without the {@code $}
 * @param value the value as text; the parameter's type determines which texts are valid
 */
public record ScalarValue(String name, String value) {

  /** Reads {@code NAME=VALUE} or {@code $NAME=VALUE}; the name ends at the last {@code =}. */
  public static final class Converter implements ITypeConverter<ScalarValue> {

    @Override
    public ScalarValue convert(String text) {
      int equals = text.lastIndexOf('=');
      int start = text.startsWith("$") ? 1 : 0;
      if (equals <= start) {
        throw new TypeConversionException("'" + text + "' is not of the form $NAME=VALUE");
      }
      return new ScalarValue(text.substring(start, equals), text.substring(equals + 1));
    }
  }
}
