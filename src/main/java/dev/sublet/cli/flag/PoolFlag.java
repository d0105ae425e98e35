package dev.sublet.cli.flag;

import dev.sublet.cli.argument.ByteSize;
import dev.sublet.plan.Pool;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a memory pool: {@code sram:256KiB}, or {@code dram} for a pool without a limit. */
final class PoolFlag implements ITypeConverter<Pool> {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+");

  @Override
  public Pool convert(String value) {
    int colon = value.indexOf(':');
    String name = colon < 0 ? value : value.substring(0, colon);
    if (!NAME.matcher(name).matches()) {
      throw new TypeConversionException(
          "'"
              + value
              + "' is not a pool; write NAME:BYTES, such as sram:256KiB, the name of letters, digits,"
              + " '_', '.' and '-'");
    }
    long capacity = colon < 0 ? Pool.UNLIMITED : new ByteSize().convert(value.substring(colon + 1));
    return new Pool(name, capacity);
  }
}
