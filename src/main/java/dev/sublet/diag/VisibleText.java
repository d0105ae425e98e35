package dev.sublet.diag;

/**
 * Makes text visible and safe to show: on one line, in a terminal, in any report.
 *
 * <p>Names come from the input and may contain any characters: line feeds, terminal control
 * sequences, and characters that reverse the rest of a line ({@code U+202E}). Each character that
 * is not visible is written as {@code \xNN}, or from {@code U+0100} on as {@code \}<code>u{NNNN}
 * </code>. The result is for reading only, because different names can have the same visible text.
 */
public final class VisibleText {

  private VisibleText() {}

  /** Returns the text on one line. O(length). */
  public static String of(String text) {
    return escape(text, /* keepLines= */ false);
  }

  /** Returns the text with its line feeds kept. O(length). */
  public static String ofLines(String text) {
    return escape(text, /* keepLines= */ true);
  }

  private static String escape(String text, boolean keepLines) {
    StringBuilder visible = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (isVisible(c) || (keepLines && c == '\n')) {
        visible.appendCodePoint(c);
      } else {
        visible.append(String.format(c < 0x100 ? "\\x%02X" : "\\u{%X}", c));
      }
    }
    return visible.toString();
  }

  /** Whether a code point is visible or a blank. */
  public static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          // Includes the characters that change the direction of the text after them.
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
