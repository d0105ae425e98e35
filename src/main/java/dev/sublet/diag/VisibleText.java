package dev.sublet.diag;

/**
 * Text that people can see as it is: on one line, in a terminal, in any report.
 *
 * <p>Names come from the input and may hold anything: line feeds, what a terminal obeys, and what
 * turns the rest of a line around ({@code U+202E}). Each character that is not visible is written
 * as {@code \xNN}, or from {@code U+0100} on as {@code \}<code>u{NNNN}</code>. This is for reading
 * only: a name may have looked so from the beginning.
 */
public final class VisibleText {

  private VisibleText() {}

  /** The text on one line. O(length). */
  public static String of(String text) {
    return escape(text, /* keepLines= */ false);
  }

  /** The text with its line feeds. O(length). */
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

  /** Whether a code point is a blank or something that leaves ink. */
  public static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          // Among them those that turn the direction of what follows.
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
