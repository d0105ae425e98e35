package dev.sublet.runtime.micro.ir;

/**
 * Names in texts. A name of letters, digits and {@code _} that begins with no digit stands as it
 * is; every other one stands in double quotes, where {@code \"}, {@code \\} and {@code \}{@code
 * uXXXX} are a quote, a backslash and any UTF-16 unit.
 */
public final class MicroName {

  private MicroName() {}

  /** A name as it stands in texts. O(length). */
  public static String text(String name) {
    return isPlain(name) ? name : quoted(name);
  }

  /** A name in double quotes, whether it needs them or not. O(length). */
  public static String quoted(String name) {
    StringBuilder text = new StringBuilder(name.length() + 2).append('"');
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        // Line ends, and halves of pairs, which no file could hold.
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }

  static boolean isStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isPart(char c) {
    return isStart(c) || isDigit(c);
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The number in a name such as {@code i0}; -1 if the name is not a letter and a number. */
  static int numberIn(String name, char letter) {
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
