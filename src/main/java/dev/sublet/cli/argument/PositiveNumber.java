package dev.sublet.cli.argument;

import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a whole number from 1, such as the samples of a batch or the rows of a list. */
public final class PositiveNumber implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    Long number = Longs.tryParse(value);
    if (number == null || number < 1) {
      throw new TypeConversionException("'" + value + "' is not a whole number from 1");
    }
    return number;
  }
}
