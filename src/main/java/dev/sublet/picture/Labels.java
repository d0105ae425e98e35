package dev.sublet.picture;

import dev.sublet.diag.ByteText;
import dev.sublet.diag.VisibleText;
import dev.sublet.program.Names;
import java.util.Locale;

/**
 * Texts of a picture: names, which come from the input and may contain any characters, and amounts.
 * All methods take O(length).
 */
final class Labels {

  private Labels() {}

  /** Returns a name in a form that can be shown anywhere: on one line, in a terminal, in XML. */
  static String printable(String name) {
    return VisibleText.of(Names.display(name));
  }

  /** Formats bytes in the largest fitting unit, for example {@code 6.47 MiB} or {@code 48 KiB}. */
  static String bytes(long bytes) {
    return ByteText.rounded(bytes).replace(".00 ", " ");
  }

  /** Formats bytes both exactly and in the largest fitting unit. */
  static String exactBytes(long bytes) {
    return bytes < 1024
        ? bytes + " bytes"
        : String.format(Locale.ROOT, "%,d bytes (%s)", bytes, bytes(bytes));
  }

  /** Formats a part of a whole as a percentage, for example {@code 17.4 %}. */
  static String percent(long part, long whole) {
    return whole == 0 ? "0 %" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }
}
