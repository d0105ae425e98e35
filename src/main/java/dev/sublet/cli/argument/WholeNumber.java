package dev.sublet.cli.argument;

import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a whole number from 0, such as a number of search nodes or a version. */
public final class WholeNumber implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    Long number = Longs.tryParse(value);
    if (number == null || number < 0) {
      throw new TypeConversionException("'" + value + "' is not a whole number from 0");
    }
    return number;
  }
}
