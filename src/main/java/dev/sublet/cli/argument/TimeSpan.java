package dev.sublet.cli.argument;

import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a time span into milliseconds: {@code 5s}, {@code 500ms}. */
public final class TimeSpan implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    long unit = value.endsWith("ms") ? 1 : 1000;
    int suffix = value.endsWith("ms") ? 2 : value.endsWith("s") ? 1 : 0;
    Long number = Longs.tryParse(value.substring(0, value.length() - suffix));
    if (suffix == 0 || number == null || number < 1 || number > Long.MAX_VALUE / unit) {
      throw new TypeConversionException(
          "'" + value + "' is not a time; write a whole number from 1 and s or ms, such as 5s");
    }
    return number * unit;
  }
}
