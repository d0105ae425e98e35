package dev.sublet.codec.table;

import dev.sublet.diag.VisibleText;

/**
 * Variable names in the CSV files that Sublet writes. A program's author chooses the names, and a
 * spreadsheet takes a cell that begins with {@code =}, {@code +}, {@code -} or {@code @} for a
 * formula. So these characters at the beginning, and invisible characters anywhere, are written as
 * {@code \xNN} or {@code \} <code>u{NNNN}</code>. All other characters are written as {@link
 * PlanNames} writes them.
 */
final class CsvNames {

  private static final String FORMULA = "=+-@";

  private CsvNames() {}

  /** Returns a name as the text of a cell. O(length). */
  static String encode(String name) {
    String text = VisibleText.of(PlanNames.encode(name));
    return text.isEmpty() || FORMULA.indexOf(text.charAt(0)) < 0
        ? text
        : escape(text.charAt(0)) + text.substring(1);
  }

  /** Returns the escape of an ASCII character. */
  static String escape(char c) {
    return String.format("\\x%02X", (int) c);
  }
}
