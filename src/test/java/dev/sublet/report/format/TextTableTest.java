package dev.sublet.report.format;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void columns_areAligned_andNoLineEndsWithABlank() {
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.NUMBER);

    assertThat(table.row("a", "1").row("long name", "1,000").row("b", "").toString())
        .isEqualTo("a              1\nlong name  1,000\nb\n");
  }

  @Test
  void controlCharacters_doNotBreakTheTable() {
    assertThat(new TextTable(TextTable.Column.TEXT).row("a\n\u001B[2J").toString())
        .isEqualTo("a\\x0A\\x1B[2J\n");
  }

  @Test
  void aRowOfAnotherLength_isRefused() {
    TextTable table = new TextTable(TextTable.Column.TEXT);

    assertThrows(IllegalArgumentException.class, () -> table.row("a", "b"));
  }

  @Test
  void reasons_areCounted_theMostFrequentFirst_thenByText() {
    assertThat(ReasonCounts.text("left", ImmutableList.of("z", "b", "z", "a")))
        .isEqualTo("left: 4\n  2  z\n  1  a\n  1  b\n");
  }
}
