package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import picocli.CommandLine.ITypeConverter;

/**
 * A value of {@code --max-arena}: {@code 256KiB}, or {@code sram:64KiB} for one memory.
 *
 * @param name the pool or place; empty for all
 * @param bytes the most bytes
 */
record ArenaLimit(String name, long bytes) {

  ArenaLimit {
    requireNonNull(name, "name");
  }

  /** Reads a value. */
  static final class Converter implements ITypeConverter<ArenaLimit> {

    @Override
    public ArenaLimit convert(String value) {
      int colon = value.lastIndexOf(':');
      return new ArenaLimit(
          colon < 0 ? "" : value.substring(0, colon),
          new ByteSize().convert(value.substring(colon + 1)));
    }
  }
}
