package dev.sublet.cli.argument;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a version of Paddle, such as 2.3 or 2.3.2, into the number that programs record. */
public final class RuntimeVersion implements ITypeConverter<Long> {

  private static final Pattern VERSION =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(?:\\.(\\d{1,3}))?");

  @Override
  public Long convert(String value) {
    Matcher matcher = VERSION.matcher(value);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + value + "' is not a version of Paddle, such as 2.3 or 2.3.2");
    }
    long patch = matcher.group(3) == null ? 0 : Long.parseLong(matcher.group(3));
    return Long.parseLong(matcher.group(1)) * 1_000_000
        + Long.parseLong(matcher.group(2)) * 1_000
        + patch;
  }
}
