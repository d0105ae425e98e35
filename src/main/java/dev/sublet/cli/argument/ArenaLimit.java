package dev.sublet.cli.argument;

import picocli.CommandLine.ITypeConverter;

/**
 * A value of {@code --max-arena}: {@code 256KiB}, or {@code sram:64KiB} for one pool or place.
 *
 * @param name the pool or place; empty for all arenas
 * @param bytes the maximum size in bytes
 */
public record ArenaLimit(String name, long bytes) {

  /** Reads a value. */
  public static final class Converter implements ITypeConverter<ArenaLimit> {

    @Override
    public ArenaLimit convert(String value) {
      int colon = value.lastIndexOf(':');
      return new ArenaLimit(
          colon < 0 ? "" : value.substring(0, colon),
          new ByteSize().convert(value.substring(colon + 1)));
    }
  }
}
