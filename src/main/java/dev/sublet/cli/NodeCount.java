package dev.sublet.cli;

import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of search nodes; none is one. */
final class NodeCount implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    Long number = Longs.tryParse(value);
    if (number == null || number < 0) {
      throw new TypeConversionException("'" + value + "' is no whole number from 0");
    }
    return number;
  }
}
