package dev.sublet.cli.argument;

import dev.sublet.diag.PercentText;
import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a percentage from 0 as an exact number: {@code 2%}, {@code 0.5%}; the sign is optional.
 */
public final class Percentage implements ITypeConverter<BigDecimal> {

  @Override
  public BigDecimal convert(String value) {
    return PercentText.parse(value)
        .orElseThrow(() -> new TypeConversionException(PercentText.refusal(value)));
  }
}
