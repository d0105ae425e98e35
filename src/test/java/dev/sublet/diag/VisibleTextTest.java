package dev.sublet.diag;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

/** What is shown of texts that hold anything. */
class VisibleTextTest {

  @Test
  void of_leavesWhatCanBeSeen() {
    assertThat(VisibleText.of("conv2d_0.tmp_0@GRAD = 1")).isEqualTo("conv2d_0.tmp_0@GRAD = 1");
    assertThat(VisibleText.of("名前 é🙂")).isEqualTo("名前 é🙂");
  }

  @Test
  void of_escapesWhatATerminalObeys_andWhatCannotBeSeen() {
    assertThat(VisibleText.of("\u001B[31mred\u0007\n")).isEqualTo("\\x1B[31mred\\x07\\x0A");
    assertThat(VisibleText.of("\u0085\u009B")).isEqualTo("\\x85\\x9B");
    assertThat(VisibleText.of("a\u202Eb\u2066c\u200B")).isEqualTo("a\\u{202E}b\\u{2066}c\\u{200B}");
    assertThat(VisibleText.of("\u2028\uFFFF\uE000")).isEqualTo("\\u{2028}\\u{FFFF}\\u{E000}");
    assertThat(VisibleText.of("\uDCFF")).isEqualTo("\\u{DCFF}");
    assertThat(VisibleText.of(new String(Character.toChars(0xE0001)))).isEqualTo("\\u{E0001}");
  }

  @Test
  void ofLines_keepsTheLines() {
    assertThat(VisibleText.ofLines("a\r\nb\n")).isEqualTo("a\\x0D\nb\n");
  }

  @Test
  void aDiagnostic_isOneVisibleLine() {
    Location place = Location.operation(0, 1, "relu\n").at("a\u202Eb");
    assertThat(new Diagnostic(Diagnostic.Kind.NOTE, place, "is\u001B[2J").toString())
        .isEqualTo("block 0, op 1 (relu\\x0A), variable 'a\\u{202E}b': is\\x1B[2J");
  }
}
