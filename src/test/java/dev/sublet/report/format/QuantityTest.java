package dev.sublet.report.format;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0                   | 0",
        "1023                | 1,023",
        "1024                | 1,024 (1.00 KiB)",
        "6786224             | 6,786,224 (6.47 MiB)",
        "1048575             | 1,048,575 (1.00 MiB)",
        "1073741824          | 1,073,741,824 (1.00 GiB)",
        "9223372036854775807 | 9,223,372,036,854,775,807 (8.00 EiB)",
      })
  void bytes_areExactAndInTheLargestUnit(long bytes, String text) {
    assertThat(Quantity.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void ratio_hasThreeDecimals() {
    assertThat(Quantity.ratio(2, 3)).isEqualTo("0.667");
    assertThat(Quantity.ratio(0, 0)).isEqualTo("1.000");
    assertThat(Quantity.ratio(1, 0)).isEqualTo("-");
  }
}
