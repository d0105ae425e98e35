package dev.sublet.cli.argument;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Longs;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a number of bytes: {@code 64}, {@code 4KiB}, {@code 1MB}. */
public final class ByteSize implements ITypeConverter<Long> {

  private static final ImmutableMap<String, Long> UNITS =
      ImmutableMap.of(
          "KiB",
          1L << 10,
          "MiB",
          1L << 20,
          "GiB",
          1L << 30,
          "KB",
          1_000L,
          "MB",
          1_000_000L,
          "GB",
          1_000_000_000L);

  @Override
  public Long convert(String value) {
    String digits = value;
    long unit = 1;
    for (Map.Entry<String, Long> entry : UNITS.entrySet()) {
      if (value.endsWith(entry.getKey())) {
        digits = value.substring(0, value.length() - entry.getKey().length());
        unit = entry.getValue();
        break;
      }
    }
    Long number = Longs.tryParse(digits);
    if (number == null || number < 1 || number > Long.MAX_VALUE / unit) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a size; write bytes, or a whole number of KiB, MiB, GiB, KB, MB, GB");
    }
    return number * unit;
  }
}
