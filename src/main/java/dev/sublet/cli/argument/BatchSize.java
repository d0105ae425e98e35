package dev.sublet.cli.argument;

import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the number of samples in a batch: a whole number from 1. */
public final class BatchSize implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    Long number = Longs.tryParse(value);
    if (number == null || number < 1) {
      throw new TypeConversionException("'" + value + "' is no whole number from 1");
    }
    return number;
  }
}
