package dev.sublet.codec.plan;

import com.google.common.base.Ascii;
import dev.sublet.codec.table.PlanNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Identifiers for variables in a C header. ASCII letters become upper case; every run of characters
 * other than ASCII letters and digits becomes one underscore, since C++ reserves names with two
 * underscores in a row. If two names give the same identifier, the later one gets the first free
 * number from 2 on.
 *
 * <pre>
 *   fc_0.w   fc.0.w       FC_0_W   FC_0_W_2
 * </pre>
 */
public final class CNames {

  /** The maximum length: compilers accept longer names, but people cannot read them. */
  private static final int LONGEST = 100;

  private final Set<String> used = new HashSet<>();

  /** The first number to try, by identifier, so that many equal identifiers take linear time. */
  private final Map<String, Integer> numbers = new HashMap<>();

  /** Returns an identifier that no earlier call returned. */
  public String unique(String name) {
    String word = word(name);
    if (used.add(word)) {
      return word;
    }
    int number = numbers.getOrDefault(word, 2);
    while (!used.add(word + "_" + number)) {
      number++;
    }
    numbers.put(word, number + 1);
    return word + "_" + number;
  }

  /** Returns the identifier of a name; it may begin with a digit. */
  public static String word(String name) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < name.length() && word.length() < LONGEST; i++) {
      char c = name.charAt(i);
      boolean plain = (c >= '0' && c <= '9') || Ascii.isUpperCase(c) || Ascii.isLowerCase(c);
      if (plain) {
        word.append(Ascii.toUpperCase(c));
      } else if (word.length() > 0 && word.charAt(word.length() - 1) != '_') {
        word.append('_');
      }
    }
    while (word.length() > 0 && word.charAt(word.length() - 1) == '_') {
      word.setLength(word.length() - 1);
    }
    return word.length() == 0 ? "V" : word.toString();
  }

  /**
   * Returns the common prefix of all identifiers of a file, from its title; begins with a letter.
   */
  static String prefix(String title) {
    String word = word(title);
    return word.charAt(0) <= '9' ? "PLAN_" + word : word;
  }

  /**
   * Returns a name in a form that is safe in every C comment. The name is written as in plans, and
   * {@code \xNN} replaces control characters, bytes beyond ASCII, and characters that would end a
   * comment, begin a comment or form a trigraph.
   */
  public static String comment(String name) {
    byte[] bytes = PlanNames.encode(name).getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xFF;
      char before = text.length() == 0 ? ' ' : text.charAt(text.length() - 1);
      boolean escape =
          b < ' '
              || b >= 0x7F
              || (b == '/' && before == '*')
              || (b == '*' && before == '/')
              || (b == '?' && before == '?');
      if (escape) {
        text.append(String.format("\\x%02X", b));
      } else {
        text.append((char) b);
      }
    }
    return text.toString();
  }
}
