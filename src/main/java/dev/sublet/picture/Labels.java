package dev.sublet.picture;

import dev.sublet.diag.VisibleText;
import dev.sublet.program.Names;
import java.util.Locale;

/**
 * Texts of a picture: names, which come from the input and may contain any characters, and parts of
 * a whole. All methods take O(length).
 */
final class Labels {

  private Labels() {}

  /** Returns a name in a form that can be shown anywhere: on one line, in a terminal, in XML. */
  static String printable(String name) {
    return VisibleText.of(Names.display(name));
  }

  /** Formats a part of a whole as a percentage, for example {@code 17.4 %}. */
  static String percent(long part, long whole) {
    return whole == 0 ? "0 %" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }
}
