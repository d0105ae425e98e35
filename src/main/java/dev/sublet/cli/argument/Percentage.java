package dev.sublet.cli.argument;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a percentage from 0 as an exact number: {@code 2%}, {@code 0.5%}; the sign is optional.
 */
public final class Percentage implements ITypeConverter<BigDecimal> {

  private static final Pattern FORM = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?%?");

  @Override
  public BigDecimal convert(String value) {
    if (!FORM.matcher(value).matches()) {
      throw new TypeConversionException(
          "'" + value + "' is no percentage; write a number from 0, such as 2% or 0.5%");
    }
    return new BigDecimal(value.endsWith("%") ? value.substring(0, value.length() - 1) : value);
  }
}
