package dev.sublet.runtime.micro.ir;

/**
 * The textual form of names. A name of letters, digits and {@code _} that does not begin with a
 * digit is written as it is. Every other name is written in double quotes, with the escapes {@code
 * \"}, {@code \\} and {@code \}{@code uXXXX} for a quote, a backslash and any UTF-16 code unit.
 */
public final class MicroName {

  private MicroName() {}

  /** Returns the textual form of a name. O(length). */
  public static String text(String name) {
    return isPlain(name) ? name : quoted(name);
  }

  /** Returns a name in double quotes, even if it needs none. O(length). */
  public static String quoted(String name) {
    StringBuilder text = new StringBuilder(name.length() + 2).append('"');
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        // Control characters such as line ends, and surrogates, which cannot stand alone in UTF-8.
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }

  /** Whether a name without quotes may begin with a character. */
  public static boolean isStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /** Whether a name without quotes may contain a character. */
  public static boolean isPart(char c) {
    return isStart(c) || isDigit(c);
  }

  /** Whether a character is one of 0 to 9. */
  public static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Returns the number in a name such as {@code i0}; -1 if the name is not the letter and a number.
   */
  public static int numberIn(String name, char letter) {
    if (name.length() < 2 || name.charAt(0) != letter || !isDigit(name.charAt(1))) {
      return -1;
    }
    try {
      return Integer.parseInt(name, 1, name.length(), /* radix= */ 10);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static boolean isPlain(String name) {
    if (name.isEmpty() || !isStart(name.charAt(0))) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      if (!isPart(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
