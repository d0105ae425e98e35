package dev.sublet.diag;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

class ByteTextTest {

  @Test
  void bytes_areExact_andInTheLargestFittingUnit() {
    assertThat(ByteText.exact(0)).isEqualTo("0");
    assertThat(ByteText.exact(1023)).isEqualTo("1,023");
    assertThat(ByteText.exact(638_976)).isEqualTo("638,976 (624.00 KiB)");
    assertThat(ByteText.inWords(1)).isEqualTo("1 byte");
    assertThat(ByteText.inWords(3_674_464)).isEqualTo("3,674,464 bytes (3.50 MiB)");
    assertThat(ByteText.rounded(0)).isEqualTo("0 B");
    assertThat(ByteText.rounded(1023)).isEqualTo("1,023 B");
    assertThat(ByteText.rounded(1024)).isEqualTo("1.00 KiB");
    assertThat(ByteText.rounded((1L << 20) - 1)).isEqualTo("1.00 MiB");
    assertThat(ByteText.rounded(Long.MAX_VALUE)).isEqualTo("8.00 EiB");
  }

  @Test
  void aNumberThatExceedsALimit_isMoreThanOnce() {
    assertThat(ByteText.times(3072, 3071)).isEqualTo("1.01 times");
    assertThat(ByteText.times(638_976, 262_144)).isEqualTo("2.44 times");
    assertThat(ByteText.times(2048, 1024)).isEqualTo("2.00 times");
  }
}
