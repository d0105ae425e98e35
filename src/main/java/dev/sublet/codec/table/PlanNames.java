package dev.sublet.codec.table;

import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;

/**
 * Variable names as plans write them. The names in a plan are text in every form, but the names in
 * a program are bytes. {@link dev.sublet.program.Names} represents a byte NN that is not UTF-8 as a
 * lone surrogate; a plan writes it as {@code \xNN}, and doubles a backslash to stay unambiguous.
 * All other names, including every name in real programs, are written unchanged.
 */
public final class PlanNames {

  private static final char ESCAPED_BYTE = '\uDC00';

  private PlanNames() {}

  /** Returns a name as plans write it. O(length). */
  public static String encode(String name) {
    boolean bytes = holdsEscapedByte(name);
    if (!bytes && name.indexOf('\\') < 0) {
      return name;
    }
    StringBuilder text = new StringBuilder(name.length() + 8);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '\\') {
        text.append("\\\\");
      } else if (bytes && c >= 0x80) {
        text.append(String.format("\\x%02X", c - ESCAPED_BYTE));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /**
   * Returns the name that {@link #encode} wrote as the given text. O(length).
   *
   * @throws ProgramException if a backslash does not begin an escape that {@link #encode} writes
   */
  public static String decode(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder name = new StringBuilder(text.length());
    boolean bytes = false;
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c != '\\') {
        name.append(c);
        i++;
      } else if (text.startsWith("\\\\", i)) {
        name.append('\\');
        i += 2;
      } else {
        name.append((char) (ESCAPED_BYTE + escapedByte(text, i)));
        bytes = true;
        i += 4;
      }
    }
    // If one byte of a name is escaped, so are all its bytes beyond ASCII, even those that form
    // valid UTF-8. All other characters must then be ASCII.
    for (int j = 0; bytes && j < name.length(); j++) {
      if (name.charAt(j) >= 0x80 && name.charAt(j) < ESCAPED_BYTE + 0x80) {
        throw malformed(text);
      }
    }
    return name.toString();
  }

  /**
   * Whether a name contains an escaped byte. Such a name consists of ASCII characters and lone low
   * surrogates, so a low surrogate that is first or follows no high surrogate is an escaped byte.
   */
  private static boolean holdsEscapedByte(String name) {
    for (int i = 0; i < name.length(); i++) {
      boolean first = i == 0 || !Character.isHighSurrogate(name.charAt(i - 1));
      if (first && Character.isLowSurrogate(name.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static int escapedByte(String text, int start) {
    if (text.startsWith("\\x", start) && start + 4 <= text.length()) {
      int high = Character.digit(text.charAt(start + 2), 16);
      int low = Character.digit(text.charAt(start + 3), 16);
      if (high >= 8 && low >= 0) {
        return high * 16 + low;
      }
    }
    throw malformed(text);
  }

  private static ProgramException malformed(String text) {
    return ProgramException.unreadable(
        Location.nowhere(),
        "the name '" + text + "' is malformed: a backslash is written \\\\, a byte \\x80 to \\xFF");
  }
}
