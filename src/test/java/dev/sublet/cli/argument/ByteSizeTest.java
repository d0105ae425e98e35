package dev.sublet.cli.argument;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "64, 64",
    "4KiB, 4096",
    "2MiB, 2097152",
    "1GiB, 1073741824",
    "3KB, 3000",
    "1MB, 1000000",
    "1GB, 1000000000",
    "8589934591GiB, 9223372035781033984"
  })
  void aSize_isANumberOfBytes(String text, long bytes) {
    assertThat(new ByteSize().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "-1", "KiB", "1.5KiB", "4 KiB", "4kib", "4K", "8589934592GiB", "0x10"})
  void anythingElse_isRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new ByteSize().convert(text));
  }
}
