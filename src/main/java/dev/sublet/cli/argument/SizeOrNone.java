package dev.sublet.cli.argument;

import picocli.CommandLine.ITypeConverter;

/** Parses a number of bytes as {@link ByteSize} does, and 0. */
public final class SizeOrNone implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    return value.equals("0") ? Long.valueOf(0) : new ByteSize().convert(value);
  }
}
