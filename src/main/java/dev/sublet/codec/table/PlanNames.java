package dev.sublet.codec.table;

import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;

/**
 * Variable names as plans write them. A plan's names are text in every form, but a program's are
 * bytes: where {@link dev.sublet.program.Names} holds the byte NN that is not UTF-8 as a lone
 * surrogate, the plan says {@code \xNN}, and to stay unambiguous it doubles a backslash. All other
 * names, which is every name that real programs have, are written as they are.
 */
public final class PlanNames {

  private static final char ESCAPED_BYTE = '\uDC00';

  private PlanNames() {}

  /** A name as a plan writes it. O(length). */
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
   * The name that {@link #encode} wrote so. O(length).
   *
   * @throws ProgramException if a backslash begins nothing that encode writes
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
    // Beside an escaped byte, bytes that form UTF-8 are escaped as well: all the rest is ASCII.
    for (int j = 0; bytes && j < name.length(); j++) {
      if (name.charAt(j) >= 0x80 && name.charAt(j) < ESCAPED_BYTE + 0x80) {
        throw malformed(text);
      }
    }
    return name.toString();
  }

  /** Such a name is all ASCII and lone surrogates, so a surrogate behind ASCII or first is one. */
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
