package dev.sublet.codec.table;

import dev.sublet.diag.VisibleText;

/**
 * Variable names in the CSV that Sublet makes of programs. They come from the program's author and
 * end up in a spreadsheet, which takes a cell that begins with {@code =}, {@code +}, {@code -} or
 * {@code @} for a formula: these, and characters that cannot be seen, are {@code \xNN} or {@code \}
 * <code>u{NNNN}</code>. All else is as {@link PlanNames} has it.
 */
final class CsvNames {

  private static final String FORMULA = "=+-@";

  private CsvNames() {}

  /** A name in a cell. O(length). */
  static String encode(String name) {
    String text = VisibleText.of(PlanNames.encode(name));
    return text.isEmpty() || FORMULA.indexOf(text.charAt(0)) < 0
        ? text
        : escape(text.charAt(0)) + text.substring(1);
  }

  /** A character of the ASCII as it is written where it would mean something. */
  static String escape(char c) {
    return String.format("\\x%02X", (int) c);
  }
}
